/** The place that an explanation is about, read from the text of a URL. */
import { parseIpAddress } from '../../core/ip/ip-address.ts';
import { type Hostname, isFault, parseHostname } from '../../core/names/hostname.ts';
import { parseAuthority } from '../../edge/http/request.ts';
import { Problem } from '../../errors/problem.ts';

export type Scheme = 'https' | 'http' | 'tls' | 'tcp';

export interface Target {
  /** Null: the text was `host:port` alone. */
  readonly scheme: Scheme | null;
  /** Host with its port, as it was written. */
  readonly authority: string;
  /** Null: an IP address. */
  readonly hostname: Hostname | null;
  /** Null: the standard port of the scheme. */
  readonly port: number | null;
  /** Path with the query, as it was written; `/` for none. */
  readonly path: string;
}

const PARTS = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#]*)([^#]*)/i;
const UNSENDABLE = /[\0-\x20\x7f]/;
const schemes: readonly Scheme[] = ['https', 'http', 'tls', 'tcp'];

/** Paths stay as they are, because an upstream may read them in another way than a browser. Throws Problem. */
export function parseTarget(text: string): Target {
  const [, written, authority = '', rest = ''] = PARTS.exec(text) ?? [];
  const scheme = written === undefined ? null : schemeOf(written);
  const place = placeOf(authority);
  const isBare = scheme === null || scheme === 'tls' || scheme === 'tcp';
  const lacksPort = (scheme === null || scheme === 'tcp') && place?.port == null;
  const hasPath = isBare && rest !== '' && rest !== '/';
  const needsName = scheme !== null && scheme !== 'tcp' && place?.hostname === null;
  if (place === null || lacksPort || hasPath || needsName || UNSENDABLE.test(text))
    throw new Problem('explainUrlInvalid', { value: withoutSecrets(text) }, { field: '/url' });
  return { scheme, ...place, path: rest.startsWith('/') ? rest : `/${rest}` };
}

function schemeOf(written: string): Scheme {
  const scheme = schemes.find((one) => one === written.toLowerCase());
  if (scheme !== undefined) return scheme;
  throw new Problem('explainSchemeUnknown', { value: written }, { field: '/url', allowed: schemes });
}

type Place = Pick<Target, 'authority' | 'hostname' | 'port'>;

function placeOf(written: string): Place | null {
  const [, bracketed, plain = '', digits] = /^(?:\[(.*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(written) ?? [];
  const host = bracketed ?? asciiOf(plain);
  if (parseIpAddress(host) !== null) {
    const port = digits === undefined ? null : Number(digits);
    const isPort = port === null || (port > 0 && port <= 65_535);
    return isPort ? { authority: written, hostname: null, port } : null;
  }
  const authority = digits === undefined ? host : `${host}:${digits}`;
  const place = parseAuthority(authority);
  return place && { authority, ...place };
}

/** Converts a name in other letters as browsers do. What is no name stays as it is. */
function asciiOf(host: string): string {
  if (!/[^\0-\x7f]/.test(host)) return host;
  const name = parseHostname(host);
  return isFault(name) ? host : name;
}

/** Removes a user name and a password. */
function withoutSecrets(text: string): string {
  return text.replace(/\/\/[^/]*@/, '//');
}
