/** Has systemd run the agent: a unit of the machine, or of a user. */
import { join } from 'node:path';
import { configFolder } from '../home-folder.ts';
import type { ServiceManager, System } from './manager.ts';
import { UNIT, unitText } from './unit.ts';

const ABSENT =
  'This machine has no systemd, which would keep the agent. Have its own keeper of services run "underpass start --all".';

export function systemd({ environment, programs }: System, isOfMachine: boolean): ServiceManager {
  const systemctl = (...words: readonly string[]): Promise<number> =>
    programs.run('systemctl', [...(isOfMachine ? [] : ['--user']), ...words], ABSENT);
  return {
    name: 'systemd',
    path: isOfMachine
      ? join('/etc/systemd/system', UNIT)
      : join(configFolder(environment), 'systemd', 'user', UNIT),
    log: null,
    startedBy: 'every boot does',
    advice: isOfMachine ? null : 'Without "loginctl enable-linger" it runs only while you are logged in.',
    definition: ({ program, args, owner }) =>
      Buffer.from(unitText({ command: [...program, ...args], uid: isOfMachine ? owner : null })),
    async take() {
      const code = await systemctl('daemon-reload');
      return code === 0 ? await systemctl('enable', UNIT) : code;
    },
    start: () => systemctl('start', UNIT),
    stop: () => systemctl('stop', UNIT),
    status: () => systemctl('status', UNIT),
    end: () => systemctl('disable', '--now', UNIT),
    removed: () => systemctl('daemon-reload'),
  };
}
