/** The settings of a run, parsed once: flags win over variables, and variables over the config file. */
import { resolve } from 'node:path';
import { InvalidInput, parseServers } from './address.ts';
import { type Bootstrap, readBootstrap } from './bootstrap.ts';
import { readCa } from './certificate-files.ts';
import { parseConnections } from './check-values.ts';
import { type CommandPlace, commandAt } from './command-line.ts';
import { checkToken, defaultConfigPath, type Login, readConfigFile, readLogin } from './config-file.ts';
import { parseLabels } from './labels.ts';
import type { Source } from './source.ts';
import { readFingerprint } from './trust.ts';

export interface Flags extends Source {
  readonly config?: string;
}

/** Address of the service, and credentials. */
export interface Service {
  readonly server: string;
  readonly authtoken: string;
  /** PEM. */
  readonly ca: string | undefined;
  /** Fingerprint of the authority, `sha256:<64 digits>`; never beside `ca`. */
  readonly caFingerprint?: string | undefined;
  /** The file that this was read from. */
  readonly caFile?: string | undefined;
  /** The most connections; left out: the default. */
  readonly connections?: number;
  /** The config file that was named. */
  readonly configFile?: string | undefined;
}

/** A service that can be dialled, with or without a token. */
export interface ReachableService extends Omit<Service, 'authtoken'> {
  readonly authtoken: string | undefined;
}

export interface Settings extends Service {
  readonly domain: string | undefined;
  /** Address of a TCP tunnel. */
  readonly address: string | undefined;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly metadata: string | undefined;
  readonly inspect: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Flags win, then variables, then the config file. Other values come from the login that `underpass login` stored, or
 * from ./data/bootstrap.json of a daemon. Throws InvalidInput.
 */
export function readSettings(flags: Flags, environment: Environment, cwd: string): Settings {
  const file = flags.config === undefined ? {} : readConfigFile(resolve(cwd, flags.config));
  const sources = sourcesOf(flags, environment, cwd, file);
  const service = findService(sources, environment, cwd);
  const [metadata, inspect] = [first(sources, 'metadata'), first(sources, 'inspect')];
  return { ...service, ...readName(sources), metadata, inspect };
}

/** Works like `readSettings`, without a tunnel, and without a token if none is known. */
export function readReachableService(flags: Flags, environment: Environment, cwd: string): ReachableService {
  const file = flags.config === undefined ? {} : readConfigFile(resolve(cwd, flags.config));
  return reachableService(sourcesOf(flags, environment, cwd, file), environment, cwd);
}

/** Works like `readSettings`, for the common part of all tunnels of a config file. */
export function readService(flags: Flags, environment: Environment, cwd: string, file: Source): Service {
  return findService(sourcesOf(flags, environment, cwd, file), environment, cwd);
}

/** The strongest first. */
function sourcesOf(flags: Flags, environment: Environment, cwd: string, file: Source): readonly Source[] {
  const given = flags.ca === undefined ? flags : { ...flags, ca: resolve(cwd, flags.ca) };
  return [given, fromEnvironment(environment, cwd), file];
}

/** Address and credentials only: tunnels belong to the command line, and the daemon has variables of its own. */
export function fromEnvironment(environment: Environment, cwd: string): Source {
  const value = (name: string) => environment[`UNDERPASS_${name}`] || undefined;
  const ca = value('CA');
  return {
    ...optional('server', value('SERVER')),
    ...optional('authtoken', value('AUTHTOKEN')),
    ...optional('ca', ca === undefined ? undefined : resolve(cwd, ca)),
    ...optional('caFingerprint', value('CA_FINGERPRINT')),
  };
}

function findService(sources: readonly Source[], environment: Environment, cwd: string): Service {
  const service = reachableService(sources, environment, cwd);
  const { authtoken, server } = service;
  if (authtoken === undefined) throw missingToken(service, otherServer(server, environment, cwd));
  const connections = parseConnections(first(sources, 'connections'));
  return { ...service, authtoken, ...(connections === undefined ? {} : { connections }) };
}

function reachableService(
  sources: readonly Source[],
  environment: Environment,
  cwd: string,
): ReachableService {
  const server = first(sources, 'server');
  const authtoken = first(sources, 'authtoken');
  const authority = firstAuthority(sources);
  if (authtoken !== undefined) checkToken(authtoken);
  if (server !== undefined) parseServers(server);
  const isSaid = server !== undefined && authtoken !== undefined;
  const known = isSaid ? null : knownService(server, environment, cwd);
  const address = server ?? known?.server;
  const token = authtoken ?? known?.authtoken;
  const config = first(sources, 'config');
  if (address === undefined) throw missingServer(config);
  const trusted = authority ?? authorityOf(known ?? {});
  const configFile = config === undefined ? undefined : resolve(cwd, config);
  const service = {
    ...{ server: address, authtoken: token },
    ...(configFile === undefined ? {} : { configFile }),
  };
  if (trusted === null) return { ...service, ca: undefined };
  const { ca, caFingerprint } = trusted;
  return ca === undefined
    ? { ...service, ca: undefined, caFingerprint: readFingerprint(caFingerprint) }
    : { ...service, ca: readCa(ca), caFile: ca };
}

/** A file or a fingerprint. */
export type Authority =
  | { readonly ca: string; readonly caFingerprint?: undefined }
  | { readonly ca?: undefined; readonly caFingerprint: string };

/** The first source with either of the two decides. Throws InvalidInput if it has both. */
function firstAuthority(sources: readonly Source[]): Authority | null {
  for (const source of sources) {
    const authority = authorityOf(source);
    if (authority !== null) return authority;
  }
  return null;
}

/** Returns null if it names none. Throws InvalidInput if it has both. */
export function authorityOf({
  ca,
  caFingerprint,
}: {
  readonly ca?: string | undefined;
  readonly caFingerprint?: string | undefined;
}): Authority | null {
  if (caFingerprint === undefined) return ca === undefined ? null : { ca };
  if (ca === undefined) return { caFingerprint };
  throw new InvalidInput(
    'The authority is given as a file and as a fingerprint. Give one of --ca and --ca-fingerprint.',
    'ca-fingerprint',
  );
}

/**
 * Values from the stored login, or from the daemon that was started here.
 * Invariant: a token is sent to its own server only, never to one with another name.
 */
function knownService(
  server: string | undefined,
  environment: Environment,
  cwd: string,
): Login | Bootstrap | null {
  const isMeant = (it: Login | Bootstrap) => server === undefined || it.server === server;
  const login = readLogin(defaultConfigPath(environment));
  if (login !== null && isMeant(login)) return login;
  const bootstrap = readBootstrap(cwd);
  return bootstrap !== null && isMeant(bootstrap) ? bootstrap : null;
}

/** Returns the other server whose token is stored; null if there is none. */
function otherServer(server: string, environment: Environment, cwd: string): string | null {
  const other = knownService(undefined, environment, cwd)?.server ?? null;
  return other === server ? null : other;
}

/** A labelled tunnel has no name of its own: the first source with any of these values decides. */
export function readName(sources: readonly Source[]): Pick<Settings, 'domain' | 'address' | 'labels'> {
  const source = sources.find((it) => (it.domain ?? it.address) !== undefined || (it.label?.length ?? 0) > 0);
  if (source?.domain !== undefined && source.label !== undefined) {
    throw new InvalidInput(
      'A tunnel has either a domain or labels. Give one of --domain and --label.',
      'label',
    );
  }
  if (source?.address !== undefined && (source.label ?? source.domain) !== undefined) {
    throw new InvalidInput(
      'A tunnel has either an address, or a domain, or labels. Give one of them.',
      'address',
    );
  }
  return {
    domain: source?.domain,
    address: source?.address,
    labels: source?.label === undefined ? undefined : parseLabels(source.label),
  };
}

function first(
  sources: readonly Source[],
  key: 'server' | 'authtoken' | 'config' | 'connections' | 'metadata' | 'inspect',
): string | undefined {
  return sources.find((source) => source[key] !== undefined)?.[key];
}

function optional<K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]: V });
}

function missingServer(configFile: string | undefined): InvalidInput {
  const login = commandAt('login', { configFile });
  return new InvalidInput(
    `The address of the server is missing. Run ${login}, which stores it, or give --server HOST:PORT.`,
  );
}

/** `other`: a server whose token is known, and goes to no other one. */
function missingToken(service: CommandPlace, other: string | null): InvalidInput {
  const known = other === null ? '' : ` for this server (there is one for ${other}, which goes to no other)`;
  const login = commandAt('login', service);
  return new InvalidInput(
    `The authtoken${known} is missing. Run ${login}, which stores it, or give --authtoken TOKEN.`,
  );
}
