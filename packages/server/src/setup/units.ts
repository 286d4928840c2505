/**
 * Units of the service for a setup: the texts of deploy/systemd for the program that runs, and a drop-in with what
 * differs. A unit of a package, or of the operator, stays as it is. Pure.
 */
import { isIP } from 'node:net';
import { posix } from 'node:path';
import { listenAddress } from '../command/listen-address.ts';
import { EVERY_ADDRESS } from '../system/listen.ts';
import type { Answers } from './answers.ts';
import { SetupError } from './setup-error.ts';
import { HTTP_SOCKET, SERVICE, SOCKET, unitTexts } from './unit-text.ts';

export const UNIT_FOLDER = '/etc/systemd/system';
/** First line of each file that a setup writes there. */
export const MARK = '# Written by "underpassd setup", which writes it anew.';
const USUAL = {
  config: '/etc/underpass/underpassd.yaml',
  secrets: '/etc/underpass/secrets.env',
  state: 'underpass',
};

export interface UnitFacts {
  /** The program and the arguments before its own. */
  readonly program: readonly string[];
  readonly config: string;
  readonly secrets: string;
  readonly dataDir: string;
  readonly listeners: Answers['listeners'];
  /** Command line of a unit that no setup has written; null without one. */
  readonly foreignCommand: string | null;
}

/** Returns texts by path; null: no such file. Throws SetupError. */
export function unitFiles(facts: UnitFacts): ReadonlyMap<string, string | null> {
  const { listeners, foreignCommand } = facts;
  const files = new Map<string, string | null>();
  const put = (name: string, text: string | null): void => {
    files.set(`${UNIT_FOLDER}/${name}`, text === null ? null : `${MARK}\n${text}`);
  };
  if (foreignCommand === null) {
    put(SERVICE, serviceText(facts));
    put(SOCKET, unitTexts[SOCKET]);
    put(HTTP_SOCKET, unitTexts[HTTP_SOCKET]);
  }
  put(`${SERVICE}.d/setup.conf`, serviceDropIn(facts));
  put(`${SOCKET}.d/setup.conf`, socketDropIn('listen', listeners.listen ?? ':443', 443));
  const plain = listeners['http-listen'];
  put(`${HTTP_SOCKET}.d/setup.conf`, plain === null ? null : socketDropIn('http-listen', plain, 80));
  return files;
}

function serviceText({ program, config }: UnitFacts): string {
  return unitTexts[SERVICE]
    .replace(/^ExecStart=.*$/m, () => `ExecStart=${commandLine(program, config)}`)
    .replace(/^Documentation=.*\n/m, '')
    .replace('PATH=/opt/underpass/bin:', 'PATH=');
}

function commandLine(program: readonly string[], config: string): string {
  const hidden = program.find((path) => /^\/(home|root|run\/user|tmp|var\/tmp)\//.test(path));
  if (hidden !== undefined)
    throw new SetupError(
      `--service: the service sees no files in ${hidden.split('/').slice(0, 2).join('/')}, and ${hidden} is there; install the program in /usr/local/bin (install.sh as root), or give --no-service`,
    );
  return [...program, 'serve', '--config', config].map(quoted).join(' ');
}

/** One word of a command line (systemd.service(5), "Command lines"). */
function quoted(word: string): string {
  if (/\p{Cc}/u.test(word))
    throw new SetupError(`--service: ${JSON.stringify(word)} has control characters; give another path`);
  const escaped = word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[\w@%+=:,./-]+$/.test(word) ? escaped : `"${escaped}"`;
}

function serviceDropIn({
  program,
  config,
  secrets,
  dataDir,
  listeners,
  foreignCommand,
}: UnitFacts): string | null {
  const lines: string[] = [];
  if (foreignCommand !== null && !foreignCommand.includes(config))
    lines.push('ExecStart=', `ExecStart=${commandLine(program, config)}`);
  if (secrets !== USUAL.secrets) lines.push(`EnvironmentFile=-${secrets.replaceAll('%', '%%')}`);
  const state = stateDirectory(dataDir);
  if (state !== USUAL.state)
    lines.push('StateDirectory=', `StateDirectory=${state}`, `Environment=UNDERPASS_DATA_DIR=%S/${state}`);
  if (needsPrivilege(listeners))
    lines.push('AmbientCapabilities=CAP_NET_BIND_SERVICE', 'CapabilityBoundingSet=CAP_NET_BIND_SERVICE');
  return lines.length === 0 ? null : `[Service]\n${lines.join('\n')}\n`;
}

/** The daemon opens these itself; systemd opens the others. */
function needsPrivilege(listeners: Answers['listeners']): boolean {
  return (['ssh-listen', 'dns-listen'] as const).some((flag) => {
    const text = listeners[flag];
    return text !== null && listenAddress(flag, text).port < 1024;
  });
}

/** Returns the name of the folder in /var/lib. */
function stateDirectory(dataDir: string): string {
  const name = posix.relative('/var/lib', dataDir);
  if (/^[\w-][\w.-]*$/.test(name)) return name;
  throw new SetupError(
    `--data-dir ${dataDir}: the service may write in /var/lib only; give /var/lib/NAME, or --no-service`,
  );
}

function socketDropIn(flag: 'listen' | 'http-listen', text: string, usual: number): string | null {
  const { host, port } = listenAddress(flag, text);
  if (host === EVERY_ADDRESS) {
    return port === usual ? null : `[Socket]\nListenStream=\nListenStream=${port}\n`;
  }
  if (isIP(host) === 0)
    throw new SetupError(`--${flag} ${text}: systemd listens on addresses, not on names; give an address`);
  return `[Socket]\nListenStream=\nListenStream=${host.includes(':') ? `[${host}]` : host}:${port}\n`;
}
