/**
 * Reads the config file.
 * Invariant: a key without effect is an error.
 */
import { existsSync } from 'node:fs';
import { dirname, posix, resolve, win32 } from 'node:path';
import { InvalidInput, parseServers } from './address.ts';
import { readCa } from './certificate-files.ts';
import { checkAll } from './check-all.ts';
import { checkAddress, checkDomain, checkLabels, checkTexts } from './check-name.ts';
import { parseConnections } from './check-values.ts';
import { configFolder, dotConfigFolder } from './home-folder.ts';
import { parseInspect } from './inspector/inspect-address.ts';
import { parseLabels } from './labels.ts';
import type { Source } from './source.ts';
import { readFingerprint } from './trust.ts';
import { readYamlFile, type YamlMapping } from './yaml-file.ts';

export const SERVICE_KEYS = [
  'server',
  'authtoken',
  'ca',
  'ca-fingerprint',
  'connections',
  'inspect',
] as const;
/** `tunnels` are those of `start`, which shares the file. */
const KEYS = [...SERVICE_KEYS, 'domain', 'address', 'label', 'metadata', 'tunnels'] as const;

/** Returns the default path of the file with tunnels. On Windows a file at the path of older versions stays in use. */
export function defaultConfigPath(
  environment: Readonly<Record<string, string | undefined>>,
  platform = process.platform,
  exists: (path: string) => boolean = existsSync,
): string {
  const { join } = platform === 'win32' ? win32 : posix;
  const path = join(configFolder(environment, platform), 'underpass', 'agent.yaml');
  if (platform !== 'win32') return path;
  const older = join(dotConfigFolder(environment, platform), 'underpass', 'agent.yaml');
  return !exists(path) && exists(older) ? older : path;
}

/** Reads a YAML file with the names of the flags as keys; `ca` is relative to the file. Throws InvalidInput. */
export function readConfigFile(path: string): Source {
  const file = readYamlFile(path);
  const [, service, name] = checkAll([
    () => file.refuseOthers(KEYS),
    () => checkedServiceIn(file),
    () => checkedNameIn(file),
  ]);
  return { ...service, ...name };
}

/** Data that `underpass login` has stored. */
export interface Login {
  readonly server: string;
  readonly authtoken: string;
  /** Path of a PEM file. */
  readonly ca: string | undefined;
  /** Instead of `ca`. */
  readonly caFingerprint?: string | undefined;
}

/** Returns null without a login. Throws InvalidInput if the file cannot be read. */
export function readLogin(path: string): Login | null {
  if (!existsSync(path)) return null;
  const { server, authtoken, ca, caFingerprint } = serviceIn(readYamlFile(path));
  if (server === undefined || authtoken === undefined) return null;
  return { server, authtoken, ca, caFingerprint };
}

export function serviceIn(file: YamlMapping): Source {
  const [server, authtoken, ca, caFingerprint, connections, inspect] = checkAll([
    () => file.text('server'),
    () => file.text('authtoken'),
    () => file.text('ca'),
    () => file.text('ca-fingerprint'),
    () => file.word('connections'),
    () => file.textOrFalse('inspect'),
  ]);
  return given({
    ...{ server, authtoken, caFingerprint, connections, inspect },
    ca: ca === undefined ? undefined : resolve(dirname(file.path), ca),
  });
}

/** Works like `serviceIn`, with checked values. Throws InvalidInput. */
export function checkedServiceIn(file: YamlMapping): Source {
  const service = serviceIn(file);
  const { server, authtoken, ca, caFingerprint, connections, inspect } = service;
  checkAll([
    () => server !== undefined && file.located('server', () => parseServers(server)),
    () => authtoken !== undefined && file.located('authtoken', () => checkToken(authtoken)),
    () => ca !== undefined && file.located('ca', () => readCa(ca)),
    () => file.located('ca-fingerprint', () => checkFingerprint(ca, caFingerprint)),
    () => file.located('connections', () => parseConnections(connections)),
    () => file.located('inspect', () => parseInspect(inspect)),
  ]);
  return service;
}

/** Throws InvalidInput. */
function checkFingerprint(ca: string | undefined, caFingerprint: string | undefined): void {
  if (caFingerprint === undefined) return;
  readFingerprint(caFingerprint);
  if (ca !== undefined)
    throw new InvalidInput('The authority has a file, too. Leave out one of "ca" and "ca-fingerprint".');
}

/** Works like `nameIn`, with checked values. Throws InvalidInput. */
function checkedNameIn(file: YamlMapping): Source {
  const name = nameIn(file);
  const { domain, address, label, metadata } = name;
  checkAll([
    () => domain !== undefined && file.located('domain', () => checkDomain(domain)),
    () => address !== undefined && file.located('address', () => checkAddress(address)),
    () => label !== undefined && file.located('label', () => checkLabels(parseLabels(label))),
    () => file.located('metadata', () => checkTexts({ metadata, description: undefined })),
  ]);
  return name;
}

/** Throws InvalidInput. */
export function checkToken(token: string): void {
  if (token.trim() === '')
    throw new InvalidInput(
      'The authtoken is empty. Give the token of a tunnel credential, or leave it out to use the stored one.',
      'authtoken',
    );
  if (/\s/.test(token))
    throw new InvalidInput(
      'The authtoken has a blank or a line end. Give the token alone, as it was shown when the credential was created.',
      'authtoken',
    );
}

/** Reads a tunnel's names, in the file or in the API. */
export function nameIn(mapping: YamlMapping): Source {
  const [domain, address, label, metadata] = checkAll([
    () => mapping.text('domain'),
    () => mapping.text('address'),
    () => mapping.pairs('label'),
    () => mapping.text('metadata'),
  ]);
  return given({ domain, address, label, metadata });
}

function given(source: { readonly [key in keyof Source]: Source[key] | undefined }): Source {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined));
}
