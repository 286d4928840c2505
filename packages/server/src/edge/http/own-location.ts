/**
 * Corrects a Location that has the public name with a port or scheme that only the service knows: it leads to where the visitor was.
 * Invariant: what leads to another host is not changed.
 */

export interface AskedOrigin {
  /** The Host of the request, with its port if it has one. */
  readonly host: string;
  readonly scheme: 'http' | 'https';
  /** The port at which visitors reach HTTPS. */
  readonly publicPort: number;
}

/** The value for the visitor; null: as it came. */
export function ownLocation(location: string, { host, scheme, publicPort }: AskedOrigin): string | null {
  const match = /^(?:(https?):)?\/\/([^/?#@:]+)(?::([0-9]*))?(?=[/?#]|$)(.*)$/is.exec(location);
  if (match === null) return null;
  const [, givenScheme, name = '', port = '', rest = ''] = match;
  if (name.toLowerCase() !== host.replace(/:[0-9]*$/, '').toLowerCase()) return null;
  const given = givenScheme?.toLowerCase();
  // A service may send visitors of plain HTTP to HTTPS.
  if (scheme === 'http' && given === 'https' && ['', '443', String(publicPort)].includes(port)) return null;
  const isSame = (given ?? scheme) === scheme && portOf(port, scheme) === portOf(portIn(host), scheme);
  if (isSame) return null;
  return `${given === undefined ? '' : `${scheme}:`}//${host}${rest}`;
}

function portIn(host: string): string {
  return /:([0-9]*)$/.exec(host)?.[1] ?? '';
}

function portOf(port: string, scheme: 'http' | 'https'): number {
  if (port === '') return scheme === 'http' ? 80 : 443;
  return Number(port);
}
