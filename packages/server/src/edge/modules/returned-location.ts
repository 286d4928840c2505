/**
 * Translates origins for an upstream that gets another Host. Location of a response leads back to the public name.
 * Origin and Referer of the public name get the upstream's name.
 * Invariant: other origins are not changed.
 */

export interface HostChange {
  /** The Host that the upstream gets. */
  readonly told: string;
  /** The Host that the visitor requested. */
  readonly asked: string;
  readonly scheme: 'http' | 'https';
}

/** The value of Location for the visitor; null: as it came. */
export function returnedLocation(location: string, { told, asked, scheme }: HostChange): string | null {
  const [, given, authority = '', rest = ''] = /^(?:(https?):)?\/\/([^/?#]*)(.*)$/i.exec(location) ?? [];
  if (authority === '' || hostOf(authority, given) !== hostOf(told, given)) return null;
  return `${given === undefined ? '' : `${scheme}:`}//${asked}${rest}`;
}

/** Returns the authority without the scheme's default port. */
function hostOf(authority: string, scheme: string | undefined): string {
  const usual = scheme === undefined ? '80|443' : scheme.toLowerCase() === 'http' ? '80' : '443';
  return authority.toLowerCase().replace(new RegExp(`:(?:${usual})?$`), '');
}

/** Returns the Origin or Referer for an upstream with another Host; null if it is of another origin, which stays. */
export function toldOrigin(value: string, { told, asked, scheme }: HostChange): string | null {
  const [, given = '', authority = '', rest = ''] = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(value) ?? [];
  const isOwn = given.toLowerCase() === scheme && hostOf(authority, scheme) === hostOf(asked, scheme);
  return isOwn && asked !== '' ? `${scheme}://${told}${rest}` : null;
}
