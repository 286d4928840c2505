/** Facts of this machine for a setup: its user, systemd, the program that runs, and its addresses. */
import { existsSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { isSingleExecutable } from '@underpass/wire';
import { SERVICE } from './unit-text.ts';
import { MARK, UNIT_FOLDER } from './units.ts';

export interface Machine {
  readonly isRoot: boolean;
  readonly hasSystemd: boolean;
  /** The program and the arguments before its own. */
  readonly program: readonly string[];
  /** Addresses of its interfaces; loopback last. */
  readonly addresses: readonly string[];
  /** Text of the installed unit of the service; null without one. */
  readonly unit: string | null;
}

/** The first one counts. */
const UNITS = [`${UNIT_FOLDER}/${SERVICE}`, `/usr/lib/systemd/system/${SERVICE}`];

export function thisMachine(): Machine {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const usable = all.filter(({ scopeid, family }) => family === 'IPv4' || scopeid === 0);
  const sorted = [
    ...usable.filter(({ internal }) => !internal),
    ...usable.filter(({ internal }) => internal),
  ];
  const [script = ''] = process.argv.slice(1);
  return {
    isRoot: process.getuid?.() === 0,
    hasSystemd: existsSync('/run/systemd/system'),
    program: isSingleExecutable() ? [process.execPath] : [process.execPath, ...process.execArgv, script],
    addresses: sorted.map(({ address }) => address),
    unit: installedUnit(),
  };
}

function installedUnit(): string | null {
  const path = UNITS.find((one) => existsSync(one));
  return path === undefined ? null : readFileSync(path, 'utf8');
}

/** Returns the command line of a unit that no setup has written; null without one. */
export function foreignCommand({ unit }: Pick<Machine, 'unit'>): string | null {
  return unit === null || unit.startsWith(MARK) ? null : commandOf(unit);
}

/** Returns true if there is a unit that starts the daemon with this config file. */
export function servesConfig({ unit }: Pick<Machine, 'unit'>, config: string): boolean {
  return unit !== null && (commandOf(unit)?.includes(config) ?? false);
}

function commandOf(unit: string): string | null {
  return /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? null;
}
