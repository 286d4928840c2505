/**
 * Has the Task Scheduler of Windows run the agent: from boot, or from the login of a user. The service manager starts
 * only programs that speak its protocol, which Node does not.
 */
import { win32 } from 'node:path';
import { InvalidInput } from '../address.ts';
import { configFolder } from '../home-folder.ts';
import type { ServiceManager, System } from './manager.ts';
import { taskText } from './task-text.ts';

const FILE = 'agent-service.xml';
const ABSENT = 'This machine has no schtasks, which belongs to Windows. Check PATH for System32.';
const BYTE_ORDER_MARK = '\ufeff';

export function taskScheduler(system: System, isOfMachine: boolean): ServiceManager {
  const { environment, platform, programs } = system;
  const { ProgramData: common = 'C:\\ProgramData', USERNAME: user = '' } = environment;
  const own = configFolder(environment, platform);
  const path = win32.join(isOfMachine ? common : own, 'underpass', FILE);
  const log = win32.join(environment.LOCALAPPDATA ?? own, 'underpass', 'agent.log');
  // All users share the names of tasks.
  const name = isOfMachine ? 'underpass-agent' : `underpass-agent-${user.replace(/[^\w.-]/g, '_')}`;
  const schtasks = (verb: string, ...words: readonly string[]) =>
    programs.run('schtasks', [verb, '/TN', name, ...words], ABSENT);
  return {
    name: 'the Task Scheduler',
    path,
    log,
    startedBy: isOfMachine ? 'every boot does' : 'every login does',
    advice: isOfMachine
      ? null
      : 'It runs only while you are logged in, in a window. Install it from an elevated prompt to run it from boot.',
    definition({ program, args }) {
      const command = [...program, 'service', 'run', '--log', log, '--', ...args];
      const text = taskText({ command, sid: ownSid(system), isOfMachine });
      return Buffer.from(BYTE_ORDER_MARK + text, 'utf16le');
    },
    take: () => schtasks('/Create', '/XML', path, '/F'),
    start: () => schtasks('/Run'),
    stop: () => schtasks('/End'),
    status: () => schtasks('/Query', '/V', '/FO', 'LIST'),
    async end() {
      programs.succeeds('schtasks', ['/End', '/TN', name]);
      return await schtasks('/Delete', '/F');
    },
    removed: async () => 0,
  };
}

/** The group of elevated processes, and that of the system's own. */
const ELEVATED = /"S-1-16-(12288|16384)"/;

/** Returns true for a process with an administrator's rights. Identifiers are the same in every language. */
export function isElevated({ programs }: System): boolean {
  return ELEVATED.test(programs.read('whoami', ['/groups', '/fo', 'csv', '/nh']));
}

function ownSid({ programs }: System): string {
  const sid = /"(S-1-[\d-]+)"/.exec(programs.read('whoami', ['/user', '/fo', 'csv', '/nh']))?.[1];
  if (sid === undefined) throw new InvalidInput('"whoami /user" names no user. Log in as one.');
  return sid;
}
