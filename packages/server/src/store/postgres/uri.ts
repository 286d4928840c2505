/**
 * Parses a PostgreSQL URI by libpq's grammar, which differs from the URL standard: several hosts with ports, and
 * sockets. Source: postgresql.org/docs, "Connection URIs".
 */

export interface ParsedUri {
  /** Hosts and ports as written; either may be empty. */
  readonly hosts: readonly { readonly host: string; readonly port: string }[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The reason, without a value that may be secret. */
export interface UnreadableUri {
  readonly wrong: string;
}

const URI = /^postgres(?:ql)?:\/\/(?:([^/?#@]*)@)?([^/?#@]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const HOST = /^(?:\[([0-9A-Fa-f:.%]+)\]|([^:[\]]*))(?::([0-9]*))?$/;

export function isReadableUri(uri: ParsedUri | UnreadableUri): uri is ParsedUri {
  return !('wrong' in uri);
}

export function parseUri(text: string): ParsedUri | UnreadableUri {
  // An unencoded "@", "/", "?" or "#" in a password would end up in another part, and messages would show it.
  const [whole, credentials, hostList = '', path, query] = URI.exec(text) ?? [];
  if (whole === undefined || (credentials === undefined && text.includes('@')))
    return { wrong: 'it is no URL: percent-encode special characters of user and password' };
  try {
    const [user, password] = credentialsOf(credentials);
    const hosts = hostsOf(hostList);
    if (hosts === null)
      return { wrong: 'its host is none: write HOST, HOST:PORT or [IPv6]:PORT, several with commas' };
    const parameters = parametersOf(query);
    if (parameters === null) return { wrong: 'its parameters are none: write NAME=VALUE, several with &' };
    return { hosts, user, password, database: filled(path), parameters };
  } catch {
    return { wrong: 'it has a "%" that no two hexadecimal digits follow: write %25' };
  }
}

function credentialsOf(text: string | undefined): readonly [string | undefined, string | undefined] {
  if (text === undefined) return [undefined, undefined];
  const colon = text.indexOf(':');
  if (colon < 0) return [filled(text), undefined];
  return [filled(text.slice(0, colon)), filled(text.slice(colon + 1))];
}

function hostsOf(list: string): ParsedUri['hosts'] | null {
  const hosts = [];
  for (const one of list.split(',')) {
    const [whole, address, name, port = ''] = HOST.exec(one) ?? [];
    if (whole === undefined) return null;
    hosts.push({ host: address ?? decodeURIComponent(name ?? ''), port });
  }
  return hosts;
}

function parametersOf(query: string | undefined): ReadonlyMap<string, string> | null {
  const parameters = new Map<string, string>();
  for (const one of (query ?? '').split('&')) {
    if (one === '' && (query ?? '') === '') break;
    const [name, value, more] = one.split('=');
    if (name === undefined || name === '' || value === undefined || more !== undefined) return null;
    parameters.set(decodeURIComponent(name), decodeURIComponent(value));
  }
  return parameters;
}

function filled(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : decodeURIComponent(text);
}
