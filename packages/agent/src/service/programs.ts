/** Runs programs of the system. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { InvalidInput } from '../address.ts';
import type { Programs } from './manager.ts';

const ABSENT = 127;

export const systemPrograms: Programs = {
  async run(program, args, absent) {
    const child = spawn(program, args, { stdio: 'inherit' });
    try {
      const [code] = (await once(child, 'close')) as [number | null];
      return code ?? 1;
    } catch {
      console.error(`underpass: ${absent}`);
      return ABSENT;
    }
  },

  succeeds(program, args) {
    return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  },

  read(program, args) {
    try {
      return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    } catch {
      throw new InvalidInput(`"${[program, ...args].join(' ')}" failed. Check that this system has it.`);
    }
  },
};
