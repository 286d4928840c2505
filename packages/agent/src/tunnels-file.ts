/**
 * The config file of `underpass start`: the service, and many tunnels by name.
 * Invariant: every part of it is checked.
 */
import { dirname, resolve } from 'node:path';
import { InvalidInput } from './address.ts';
import { checkAll } from './check-all.ts';
import { checkedServiceIn, nameIn, SERVICE_KEYS } from './config-file.ts';
import type { Target } from './folder/folder-target.ts';
import { openSecret, secretFiles } from './secrets.ts';
import { readName } from './settings.ts';
import type { Source } from './source.ts';
import { type Proto, type SettingKind, settingsOf, type TunnelWords, wordOf } from './tunnel-settings.ts';
import { emptySetting, readRequest, readUpstream, readUpstreamTls, type TunnelSpec } from './tunnel-spec.ts';
import { readYamlFile, type YamlMapping } from './yaml-file.ts';

export interface TunnelsFile {
  readonly path: string;
  readonly service: Source;
  /** Tunnels in the order of the file; none in a file with the service only. */
  readonly tunnels: ReadonlyMap<string, TunnelSpec>;
}

const EXAMPLE = '"tunnels: {web: {upstream: 3000}}"';
/** Keys that name a tunnel of each protocol; all other keys are in the table of settings. */
const NAMES: Readonly<Record<Proto, readonly string[]>> = {
  http: ['domain', 'label', 'metadata'],
  tls: ['domain', 'label', 'metadata'],
  tcp: ['address', 'label', 'metadata'],
};
/** Names are part of messages and prefixes of lines. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Reads and checks the whole file, also tunnels that are not to be started. Throws InvalidInput, with all that is wrong. */
export function readTunnelsFile(path: string): TunnelsFile {
  const file = readYamlFile(path);
  const [, tunnels, service] = checkAll([
    () => file.refuseOthers([...SERVICE_KEYS, 'tunnels']),
    () => tunnelsIn(file),
    () => checkedServiceIn(file),
  ]);
  return { path, service, tunnels };
}

/**
 * Returns the tunnel names that are valid, despite any other error in the file. Throws InvalidInput if it holds no
 * mapping.
 */
export function tunnelNamesIn(path: string): readonly string[] {
  const tunnels = readYamlFile(path).mapping('tunnels', EXAMPLE);
  return tunnels === undefined ? [] : tunnels.keys.filter((name) => NAME.test(name));
}

function tunnelsIn(file: YamlMapping): TunnelsFile['tunnels'] {
  const mapping = file.mapping('tunnels', EXAMPLE);
  if (mapping === undefined) return new Map();
  const tunnels = checkAll(mapping.keys.map((name) => () => tunnelIn(mapping, name)));
  return new Map(tunnels.map((tunnel, at) => [mapping.keys[at]!, tunnel]));
}

/** Returns the named tunnels, each once, or all of them. Throws InvalidInput. */
export function chooseTunnels(
  { path, tunnels }: TunnelsFile,
  names: readonly string[],
  all: boolean,
): readonly TunnelSpec[] {
  if (tunnels.size === 0)
    throw new InvalidInput(`The config file ${path} has no tunnels. Give some, such as ${EXAMPLE}.`);
  const known = [...tunnels.keys()].join(', ');
  if (all && names.length > 0) throw new InvalidInput('Give names of tunnels or --all, not both.');
  if (!all && names.length === 0)
    throw new InvalidInput(`Give names of tunnels, or --all. In ${path} there are: ${known}.`);
  const chosen = all ? [...tunnels.keys()] : [...new Set(names)];
  const specs = chosen.map((name) => {
    const tunnel = tunnels.get(name);
    if (tunnel !== undefined) return tunnel;
    throw new InvalidInput(`There is no tunnel "${name}" in ${path}. Give one of: ${known}.`);
  });
  refuseShared(path, specs);
  return specs;
}

/** The later of two tunnels with one name would take it over from the other. */
function refuseShared(path: string, specs: readonly TunnelSpec[]): void {
  const owners = new Map<string, TunnelSpec>();
  for (const spec of specs) {
    const { domain, address, scheme } = spec.request;
    const wanted = (domain ?? address)?.toLowerCase();
    if (wanted === undefined) continue;
    const key = scheme === 'http' ? `http://${wanted}` : wanted;
    const other = owners.get(key);
    if (other !== undefined)
      throw new InvalidInput(
        `The tunnels "${other.name}" and "${spec.name}" in ${path} both want ${wanted}. Give one of them another, or start only one.`,
      );
    owners.set(key, spec);
  }
}

function tunnelIn(tunnels: YamlMapping, name: string): TunnelSpec {
  if (!NAME.test(name))
    throw tunnels.problem(name, 'not a name. Give up to 64 letters, digits, dots, dashes and underscores.');
  const fields = tunnels.mapping(name, '"{proto: http, upstream: 3000}"');
  if (fields === undefined) throw tunnels.problem(name, 'is empty. Give at least "upstream: 3000".');
  const proto = protoIn(fields);
  const settings = settingsOf(proto).map(([key]) => key);
  const [, spec] = checkAll([
    () => fields.refuseOthers(['proto', 'upstream', ...NAMES[proto], ...settings]),
    () => specIn(fields, proto),
  ]);
  return { name, ...spec };
}

function specIn(fields: YamlMapping, proto: Proto): Omit<TunnelSpec, 'name'> {
  const [upstream, source, words, written] = checkAll([
    () => upstreamIn(fields),
    () => nameIn(fields.only(NAMES[proto])),
    () => wordsIn(fields, proto),
    () => secretsIn(fields, proto),
  ]);
  const serving = {
    hidden: words.hidden,
    config: fields.path,
    secrets: secretFiles(written, dirname(fields.path)),
  };
  let to: Target | null = null;
  const [target, tls, request] = checkAll([
    () => {
      to = fields.located('upstream', () => readUpstream(proto, upstream, serving, dirname(fields.path)));
      return to;
    },
    () => fields.located(null, () => readUpstreamTls(to, words)),
    () =>
      fields.located(null, () =>
        readRequest(proto, to, { ...readName([source]), metadata: source.metadata }, words),
      ),
  ]);
  return { upstream: target, ...tls, request, quiet: words.quiet === true };
}

function upstreamIn(fields: YamlMapping): string {
  const upstream = fields.word('upstream');
  if (upstream === undefined) throw fields.problem(null, 'has no "upstream". Give one, such as 3000.');
  return upstream;
}

function protoIn(fields: YamlMapping): Proto {
  const proto = fields.text('proto') ?? 'http';
  if (proto === 'http' || proto === 'tls' || proto === 'tcp') return proto;
  throw fields.problem('proto', `"${proto}" is none. Give http, tls or tcp.`);
}

/** Each key of the table is read as its kind, which is what makes these its words. */
function wordsIn(fields: YamlMapping, proto: Proto): TunnelWords {
  const read = settingsOf(proto).map(([key, { kind, group }]) => () => {
    const value = readers[kind](fields, key);
    if (value === undefined && group === 'visitors' && fields.keys.includes(key))
      throw fields.problem(key, emptySetting(key).message);
    return [wordOf(key), value];
  });
  return Object.fromEntries(checkAll(read));
}

/** Returns the secrets as written. */
function secretsIn(fields: YamlMapping, proto: Proto): TunnelWords {
  const secrets = settingsOf(proto).filter(([, { kind }]) => kind === 'secret');
  return Object.fromEntries(secrets.map(([key]) => [wordOf(key), fields.text(key)]));
}

const readers: Readonly<Record<SettingKind, (fields: YamlMapping, key: string) => unknown>> = {
  flag: (fields, key) => fields.flag(key),
  text: (fields, key) => fields.text(key),
  word: (fields, key) => fields.word(key),
  texts: (fields, key) => fields.texts(key),
  path(fields, key) {
    const path = fields.text(key);
    return path === undefined ? undefined : pathIn(fields, key, path);
  },
  paths: (fields, key) => fields.texts(key)?.map((path) => pathIn(fields, key, path)),
  secret(fields, key) {
    const written = fields.text(key);
    if (written === undefined) return undefined;
    return fields.located(key, () => openSecret(written, dirname(fields.path), key));
  },
};

function pathIn(fields: YamlMapping, key: string, path: string): string {
  if (path === '') throw fields.problem(key, emptySetting(key).message);
  return resolve(dirname(fields.path), path);
}
