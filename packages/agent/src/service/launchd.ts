/** Has launchd of macOS run the agent: a daemon of the machine, or an agent of a user. */
import { posix } from 'node:path';
import { homeFolder } from '../home-folder.ts';
import type { ServiceManager, System } from './manager.ts';
import { LABEL, propertyListText } from './property-list.ts';

const FILE = `${LABEL}.plist`;
const LOG = 'Logs/underpass-agent.log';
const ABSENT = 'This machine has no launchctl, which belongs to macOS. Check PATH for /bin.';

export function launchd(system: System, isOfMachine: boolean): ServiceManager {
  const { environment, programs, uid } = system;
  const library = isOfMachine ? '/Library' : posix.join(homeFolder(environment, system.platform), 'Library');
  const path = posix.join(library, isOfMachine ? 'LaunchDaemons' : 'LaunchAgents', FILE);
  const log = posix.join(library, LOG);
  const domain = isOfMachine ? 'system' : `gui/${uid}`;
  const target = `${domain}/${LABEL}`;
  const launchctl = (...words: readonly string[]) => programs.run('launchctl', words, ABSENT);
  const isLoaded = () => programs.succeeds('launchctl', ['print', target]);
  const stop = () => launchctl('bootout', target);
  return {
    name: 'launchd',
    path,
    log,
    startedBy: isOfMachine ? 'every boot does' : 'every login does',
    advice: isOfMachine ? null : 'It runs only while you are logged in at the screen of this Mac.',
    definition({ program, args, owner }) {
      const user = isOfMachine ? programs.read('id', ['-un', String(owner)]).trim() : null;
      return Buffer.from(propertyListText({ command: [...program, ...args], user, log }));
    },
    async take() {
      const code = await programs.run('plutil', ['-lint', '-s', path], ABSENT);
      return code === 0 ? await launchctl('enable', target) : code;
    },
    start: () => (isLoaded() ? launchctl('kickstart', target) : launchctl('bootstrap', domain, path)),
    stop,
    status: () => launchctl('print', target),
    end: async () => (isLoaded() ? await stop() : 0),
    removed: async () => 0,
  };
}
