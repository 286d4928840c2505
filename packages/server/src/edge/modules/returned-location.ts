/**
 * Changes the origins of an exchange whose upstream gets another Host: Location leads back to the public name, and Origin and Referer of
 * the public name have the name that the upstream knows. Invariant: what names another origin is not changed.
 */

export interface HostChange {
  /** The Host that the upstream was told. */
  readonly told: string;
  /** The one that the visitor has asked for. */
  readonly asked: string;
  readonly scheme: 'http' | 'https';
}

/** The value of Location for the visitor; null: as it came. */
export function returnedLocation(location: string, { told, asked, scheme }: HostChange): string | null {
  const [, given, authority = '', rest = ''] = /^(?:(https?):)?\/\/([^/?#]*)(.*)$/i.exec(location) ?? [];
  if (authority === '' || hostOf(authority, given) !== hostOf(told, given)) return null;
  return `${given === undefined ? '' : `${scheme}:`}//${asked}${rest}`;
}

/** Without the port that the scheme has anyway. */
function hostOf(authority: string, scheme: string | undefined): string {
  const usual = scheme === undefined ? '80|443' : scheme.toLowerCase() === 'http' ? '80' : '443';
  return authority.toLowerCase().replace(new RegExp(`:(?:${usual})?$`), '');
}

/** The value of Origin or Referer for an upstream that is told another Host; null: it is of another origin, and stays as it came. */
export function toldOrigin(value: string, { told, asked, scheme }: HostChange): string | null {
  const [, given = '', authority = '', rest = ''] = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(value) ?? [];
  const isOwn = given.toLowerCase() === scheme && hostOf(authority, scheme) === hostOf(asked, scheme);
  return isOwn && asked !== '' ? `${scheme}://${told}${rest}` : null;
}
