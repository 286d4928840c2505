/**
 * Where an answer leads to whose upstream was told another Host: back to the name that was asked for (open points, B 4.7). Never
 * that what leads elsewhere is changed.
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
