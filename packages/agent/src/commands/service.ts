/**
 * `underpass service`: has the system's keeper of services run the tunnels of the config file.
 * Invariant: a written definition can start.
 */
import { closeSync, existsSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InvalidInput } from '../address.ts';
import { commandText } from '../command-line.ts';
import { defaultConfigPath } from '../config-file.ts';
import { makeFolder } from '../make-folder.ts';
import { printableMessage } from '../printable.ts';
import { chooseManager, thisSystem } from '../service/choose-manager.ts';
import type { ServiceManager } from '../service/manager.ts';
import { ownProgram } from '../service/own-program.ts';
import { readService } from '../settings.ts';
import { chooseTunnels, readTunnelsFile } from '../tunnels-file.ts';

export interface ServiceFlags {
  readonly user?: boolean;
}

export interface InstallFlags extends ServiceFlags {
  readonly config?: string;
}

/** No names: all tunnels. Resolves with the exit code. Throws InvalidInput. */
export async function installService(names: readonly string[], flags: InstallFlags): Promise<number> {
  const config = resolve(flags.config ?? defaultConfigPath(process.env));
  checkStart(config, names);
  const manager = managerOf(flags);
  const { path } = manager;
  const tunnels = names.length === 0 ? ['--all'] : names;
  // A service has no user who inspects requests, so recording them would only cost.
  const start = ['start', '--inspect=false', '--config', config];
  // A line for each request would fill a log that nothing rotates.
  const args = [...start, ...(manager.log === null ? [] : ['--quiet']), ...tunnels];
  const definition = manager.definition({ program: ownProgram(), args, owner: statSync(config).uid });
  const wasThere = existsSync(path);
  write(path, definition);
  if ((await manager.take()) !== 0) {
    if (!wasThere) rmSync(path, { force: true });
    console.error(`underpass: ${manager.name} did not accept ${path}, for the reason above.`);
    return 1;
  }
  console.log(
    `${path} is written. ${serviceCommand('start', flags)} starts it now, and ${manager.startedBy}.`,
  );
  if (manager.log !== null) console.log(`Its log is ${manager.log}.`);
  if (manager.advice !== null) console.log(manager.advice);
  return 0;
}

/** Resolves with the exit code of the system's command. Throws InvalidInput. */
export async function askService(verb: 'start' | 'stop' | 'status', flags: ServiceFlags): Promise<number> {
  const manager = installed(flags);
  const code = await manager[verb]();
  if (verb === 'status' && manager.log !== null) printEnd(manager.log);
  return code;
}

/** Resolves with the exit code. Throws InvalidInput. */
export async function uninstallService(flags: ServiceFlags): Promise<number> {
  const manager = installed(flags);
  const code = await manager.end();
  if (code !== 0) return code;
  rmSync(manager.path, { force: true });
  const left = manager.log === null ? 'The config file is left.' : 'The config file and the log are left.';
  console.log(`The agent is stopped, and its service is removed. ${left}`);
  return await manager.removed();
}

/**
 * Checks the start before the unit is written, because errors of a service are easily missed. Variables and folders
 * of this shell do not count.
 */
function checkStart(config: string, names: readonly string[]): void {
  const file = readTunnelsFile(config);
  chooseTunnels(file, names, names.length === 0);
  readService({}, {}, '/', file.service);
}

function write(path: string, definition: Buffer): void {
  try {
    makeFolder(dirname(path), 0o755);
    writeFileSync(path, definition, { mode: 0o644 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidInput(`The service ${path} cannot be written: ${reason}`);
  }
}

function serviceCommand(verb: 'install' | 'start', { user }: ServiceFlags): string {
  return commandText(['service', verb, ...(user === true ? ['--user'] : [])]);
}

/** Throws InvalidInput. */
function managerOf({ user }: ServiceFlags): ServiceManager {
  return chooseManager(thisSystem(), user === true);
}

/** Throws InvalidInput if it is not installed. */
function installed(flags: ServiceFlags): ServiceManager {
  const manager = managerOf(flags);
  if (!existsSync(manager.path))
    throw new InvalidInput(`There is no ${manager.path}. ${serviceCommand('install', flags)} writes it.`);
  return manager;
}

const SHOWN_LINES = 20;
const SHOWN_BYTES = 4_096;

/** Prints the last lines of a log. The systems have no common program for it. */
function printEnd(log: string): void {
  if (!existsSync(log)) return;
  const file = openSync(log, 'r');
  try {
    const bytes = Buffer.alloc(SHOWN_BYTES);
    const length = readSync(file, bytes, 0, SHOWN_BYTES, Math.max(0, statSync(log).size - SHOWN_BYTES));
    const lines = bytes.toString('utf8', 0, length).trimEnd().split('\n');
    console.log(printableMessage(lines.slice(-SHOWN_LINES).join('\n')));
  } finally {
    closeSync(file);
  }
}
