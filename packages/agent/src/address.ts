/**
 * Parses addresses that users write.
 * Invariant: a parsed address is not parsed again.
 */
import type { SecureContext } from 'node:tls';
import { AgentError } from './agent-error.ts';
import { socketPathIn } from './socket-path.ts';

/** A text of the user with a wrong form. The message describes the right one. */
export class InvalidInput extends AgentError {
  override readonly name = 'InvalidInput';
  readonly code = 'ERR_AGENT_INVALID_INPUT';
  readonly remedy = '';
  /** The flag, or key of the config file, that had the address, if known. */
  readonly flag: string | null;

  constructor(message: string, flag: string | null = null) {
    super(message);
    this.flag = flag;
  }
}

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** A unix socket. */
export interface SocketPath {
  readonly path: string;
}

export interface Upstream {
  /** `tcp`: whatever bytes there are, as they come. */
  readonly scheme: 'http' | 'https' | 'tcp';
  readonly at: HostPort | SocketPath;
  /** True for HTTP/2. */
  readonly speaksHttp2?: boolean;
  /** True if the upstream exchanges the content of WebSocket messages. That may be anything. */
  readonly isRaw?: boolean;
  /** Trusted authorities of an https upstream's certificate; undefined: the certificate is not verified. */
  readonly verifiedBy?: SecureContext;
  /** The server name of https; left out: that of its address. */
  readonly serverName?: string;
  /** Text for people: `scheme://host:port`; for TCP `host:port`; for a socket `unix:path`. */
  readonly text: string;
}

/** Parses the service's address, `host:port` or `host` (port 443). Throws InvalidInput. */
export function parseServer(text: string): HostPort {
  const url = parseAuthority(text);
  if (url === null) {
    throw new InvalidInput(
      `The server address "${withoutLogin(text)}" is not valid. Give HOST:PORT, such as connect.example.com:443.`,
      'server',
    );
  }
  return { host: bareHost(url), port: explicitPort(text) ?? 443 };
}

/** The most addresses of one service. */
const MOST_SERVERS = 16;

/** Parses the addresses of one service, with commas between. Throws InvalidInput. */
export function parseServers(text: string): readonly HostPort[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length <= MOST_SERVERS) return parts.map(parseServer);
  throw new InvalidInput(
    `There are ${parts.length} server addresses. Give at most ${MOST_SERVERS}, or a name that DNS has several addresses for.`,
    'server',
  );
}

/** Returns the first address, for a command that makes one connection. Throws InvalidInput. */
export function parseFirstServer(text: string): HostPort {
  return parseServers(text)[0]!;
}

/**
 * Parses where to forward: `3000`, `host:3000`, `http://host[:port]`, `https://host[:port]`, `unix:path`, relative to the folder `from`.
 * Throws InvalidInput.
 */
export function parseUpstream(
  text: string,
  from: string = process.cwd(),
  platform = process.platform,
): Upstream {
  if (text.startsWith(UNIX)) return { scheme: 'http', ...parseSocket(text, from, platform) };
  const [, scheme = 'http', rest = text] = /^(https?):\/\/(.*)$/is.exec(text) ?? [];
  const authority = /^\d+$/.test(rest) && rest === text ? `localhost:${rest}` : rest.replace(/\/$/, '');
  const url = parseAuthority(authority);
  const port =
    explicitPort(authority) ?? (rest === text ? null : scheme.toLowerCase() === 'https' ? 443 : 80);
  if (url === null || port === null || port === 0) {
    if (/^https?:\/\/[^/?#]+[/?#]/i.test(text))
      throw new InvalidInput(
        `"${withoutLogin(text)}" has a path, which visitors give themselves. Leave out what comes after the host.`,
      );
    throw new InvalidInput(
      `"${withoutLogin(text)}" is not an address to forward to${portFault(authority)}. Give a port (3000), host:port, http://host:port, https://host or unix:/path.`,
    );
  }
  const kind = scheme.toLowerCase() === 'https' ? 'https' : 'http';
  return { scheme: kind, at: { host: bareHost(url), port }, text: `${kind}://${url.hostname}:${port}` };
}

/** Parses where to forward bytes: `5432`, `host:5432` or `unix:path`, relative to the folder `from`. Throws InvalidInput. */
export function parseTcpUpstream(
  text: string,
  from: string = process.cwd(),
  platform = process.platform,
): Upstream {
  if (text.startsWith(UNIX)) return { scheme: 'tcp', ...parseSocket(text, from, platform) };
  const authority = /^\d+$/.test(text) ? `localhost:${text}` : text;
  const url = parseAuthority(authority);
  const port = explicitPort(authority);
  if (url === null || port === null || port === 0) {
    throw new InvalidInput(
      `"${withoutLogin(text)}" is not an address to forward to${portFault(authority)}. Give a port (5432), host:port or unix:/path, without a scheme.`,
    );
  }
  return { scheme: 'tcp', at: { host: bareHost(url), port }, text: `${url.hostname}:${port}` };
}

const UNIX = 'unix:';

/** Accepts a path without a listener, because one may start later. Throws InvalidInput. */
function parseSocket(text: string, from: string, platform: NodeJS.Platform): Pick<Upstream, 'at' | 'text'> {
  const { path, fault } = socketPathIn(text.slice(UNIX.length), from, platform);
  if (fault !== undefined) throw new InvalidInput(fault);
  return { at: { path }, text: `${UNIX}${path}` };
}

/** Removes the text before an @ for messages, because it may be a name and a password. */
function withoutLogin(text: string): string {
  return text.replace(/^([a-z][\w+.-]*:\/\/)?.*@/is, '$1…@');
}

function parseAuthority(text: string): URL | null {
  if (text === '' || /[\s/\\?#@]/.test(text)) return null;
  const url = URL.parse(`http://${text}`);
  return url === null || url.hostname === '' || /^:|:$/.test(text) ? null : url;
}

/** The port as written: URL drops it if it is the scheme's default. */
function explicitPort(authority: string): number | null {
  const digits = /:(\d+)$/.exec(authority)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The middle of a sentence; '' unless the port is wrong. */
function portFault(authority: string): string {
  const port = explicitPort(authority);
  return port === null || (port > 0 && port <= 65_535) ? '' : ': ports are from 1 to 65535';
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}
