/** Chooses the keeper of services of this system. */
import { launchd } from './launchd.ts';
import type { ServiceManager, System } from './manager.ts';
import { systemPrograms } from './programs.ts';
import { systemd } from './systemd.ts';
import { isElevated, taskScheduler } from './task-scheduler.ts';

export function thisSystem(): System {
  return {
    platform: process.platform,
    uid: process.getuid?.(),
    environment: process.env,
    programs: systemPrograms,
  };
}

/**
 * Returns the manager. A service of root, or of an elevated prompt, is the machine's own and runs without a login,
 * unless `isOfUser`. Other users have services of their own. Throws InvalidInput.
 */
export function chooseManager(system: System, isOfUser: boolean): ServiceManager {
  if (system.platform === 'win32') return taskScheduler(system, !isOfUser && isElevated(system));
  const isOfMachine = !isOfUser && system.uid === 0;
  return system.platform === 'darwin' ? launchd(system, isOfMachine) : systemd(system, isOfMachine);
}
