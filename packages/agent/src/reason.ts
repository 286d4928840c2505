/**
 * Returns the reason why a connection failed, in words for users. Node's texts name neither the case nor the remedy; OpenSSL's are long.
 */
export function reasonOf(error: unknown, of: 'daemon' | 'upstream' = 'daemon'): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0], of);
  if (!(error instanceof Error)) return String(error);
  const tls = tlsReasonOf(error);
  if (tls !== null)
    return `TLS failed: ${of === 'daemon' && isNameMissing(tls) ? `${tls} ${NAME_OF_DAEMON}` : tls}`;
  const known = 'code' in error ? KNOWN.get(error.code) : undefined;
  // Behind what is wrong with a certificate Node names flags of its own command.
  return known ?? error.message.replace(/; if the root CA is installed locally.*/, '');
}

/** Returns true if TLS failed because the server name was missing. Clients send none to an address. `tls`: from `tlsReasonOf`. */
export function isNameMissing(tls: string): boolean {
  return /missing extension|unrecognized name/.test(tls);
}

const NAME_OF_DAEMON = '(give the name of the service, such as connect.DOMAIN)';

const KNOWN: ReadonlyMap<unknown, string> = new Map([
  ['ECONNREFUSED', 'connection refused (is it running?)'],
  ['ENOTFOUND', 'the name does not exist in DNS'],
  ['EAI_AGAIN', 'DNS does not answer'],
  ['ECONNRESET', 'the connection was broken off'],
  ['ETIMEDOUT', 'no answer in time'],
  ['ENOENT', 'there is no such socket (is it running?)'],
  ['ENOTSOCK', 'it is no socket'],
  ['EACCES', 'this user has no permission'],
]);

/** Returns the reason in OpenSSL's words, which is the middle of a longer text for write errors. Null: no failure of TLS. */
export function tlsReasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('reason' in error && typeof error.reason === 'string') return error.reason;
  return /:SSL routines:[^:]*:([^:]+):/.exec(error.message)?.[1] ?? null;
}

/** The code that Node gives errors of the system and of TLS; undefined if there is none. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
