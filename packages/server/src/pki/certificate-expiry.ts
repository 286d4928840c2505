/** Expiry of a certificate. */
export interface CertificateExpiry {
  /** Name for the operator. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly notAfterMs: number;
}

/** Returns the next expiries in order, at most `count`. Reads each one once, because there may be very many. */
export function firstToExpire(expiries: Iterable<CertificateExpiry>, count: number): CertificateExpiry[] {
  let first: CertificateExpiry[] = [];
  let last = Number.POSITIVE_INFINITY;
  for (const expiry of expiries) {
    if (expiry.notAfterMs >= last) continue;
    first.push(expiry);
    if (first.length < 2 * count) continue;
    first = sorted(first).slice(0, count);
    last = first.at(-1)?.notAfterMs ?? last;
  }
  return sorted(first).slice(0, count);
}

function sorted(expiries: readonly CertificateExpiry[]): CertificateExpiry[] {
  return expiries.toSorted((one, other) => one.notAfterMs - other.notAfterMs);
}
