/**
 * `underpass service`: runs the tunnels of the config file with systemd.
 * Invariant: a written unit can start.
 */
import { existsSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isSingleExecutable } from '@underpass/wire';
import { InvalidInput } from '../address.ts';
import { commandText } from '../command-line.ts';
import { defaultConfigPath } from '../config-file.ts';
import { configFolder } from '../home-folder.ts';
import { makeFolder } from '../make-folder.ts';
import { systemctl } from '../service/systemctl.ts';
import { UNIT, unitText } from '../service/unit.ts';
import { readService } from '../settings.ts';
import { chooseTunnels, readTunnelsFile } from '../tunnels-file.ts';

export interface ServiceFlags {
  readonly user?: boolean;
}

export interface InstallFlags extends ServiceFlags {
  readonly config?: string;
}

/**
 * Root's unit is the machine's own, which runs without a login, unless flags name a user. Other users have units of
 * their own.
 */
function isOfMachine({ user }: ServiceFlags): boolean {
  return user !== true && process.getuid?.() === 0;
}

/** No names: all tunnels. Resolves with the exit code. Throws InvalidInput. */
export async function installService(names: readonly string[], flags: InstallFlags): Promise<number> {
  const config = resolve(flags.config ?? defaultConfigPath(process.env));
  checkStart(config, names);
  const program = ownProgram();
  const tunnels = names.length === 0 ? ['--all'] : names;
  // A service has no user who inspects requests, so recording them would only cost.
  const command = [...program, 'start', '--inspect=false', '--config', config, ...tunnels];
  const ofMachine = isOfMachine(flags);
  const path = unitPath(flags);
  const wasThere = existsSync(path);
  write(path, unitText({ command, uid: ofMachine ? statSync(config).uid : null }));
  if (!(await isTaken(ofMachine))) {
    if (!wasThere) rmSync(path, { force: true });
    console.error('underpass: systemd did not accept the unit, for the reason above.');
    return 1;
  }
  console.log(`${path} is written. ${serviceCommand('start', flags)} starts it now, and every boot does.`);
  if (!ofMachine) console.log('Without "loginctl enable-linger" it runs only while you are logged in.');
  return 0;
}

/** The executable of this program, or Node with its flags and the script. */
function ownProgram(): readonly string[] {
  if (isSingleExecutable()) return [process.execPath];
  const [, script = ''] = process.argv;
  return [process.execPath, ...process.execArgv, realpathSync(script)];
}

async function isTaken(ofMachine: boolean): Promise<boolean> {
  if ((await systemctl(ofMachine, 'daemon-reload')) !== 0) return false;
  return (await systemctl(ofMachine, 'enable', UNIT)) === 0;
}

/** Resolves with the exit code of systemd. Throws InvalidInput. */
export async function askService(verb: 'start' | 'stop' | 'status', flags: ServiceFlags): Promise<number> {
  requireInstalled(flags);
  return await systemctl(isOfMachine(flags), verb, UNIT);
}

/** Resolves with the exit code. Throws InvalidInput. */
export async function uninstallService(flags: ServiceFlags): Promise<number> {
  requireInstalled(flags);
  const ofMachine = isOfMachine(flags);
  const code = await systemctl(ofMachine, 'disable', '--now', UNIT);
  if (code !== 0) return code;
  rmSync(unitPath(flags), { force: true });
  console.log('The agent is stopped, and its unit is removed. The config file is left.');
  return await systemctl(ofMachine, 'daemon-reload');
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

function unitPath(flags: ServiceFlags): string {
  if (isOfMachine(flags)) return join('/etc/systemd/system', UNIT);
  return join(configFolder(process.env), 'systemd', 'user', UNIT);
}

function write(path: string, text: string): void {
  try {
    makeFolder(dirname(path), 0o755);
    writeFileSync(path, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidInput(`The unit ${path} cannot be written: ${reason}`);
  }
}

function serviceCommand(verb: 'install' | 'start', { user }: ServiceFlags): string {
  return commandText(['service', verb, ...(user === true ? ['--user'] : [])]);
}

function requireInstalled(flags: ServiceFlags): void {
  const path = unitPath(flags);
  if (!existsSync(path))
    throw new InvalidInput(`There is no ${path}. ${serviceCommand('install', flags)} writes it.`);
}
