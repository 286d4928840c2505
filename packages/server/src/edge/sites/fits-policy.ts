/**
 * Decides if a connection may continue under other TLS settings of its name.
 * Invariant: it continues only if its handshake would also succeed under them.
 */
import type { ConnectionFacts, TlsPolicy } from './site.ts';

const versions: readonly string[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

/** `negotiated` are the settings of its handshake; null without TLS, or with TLS that passes through. */
export function fitsPolicy(
  facts: Pick<ConnectionFacts, 'tls'>,
  negotiated: TlsPolicy | null,
  policy: TlsPolicy | null,
): boolean {
  if (policy === null || negotiated === null) return policy === negotiated;
  if (policy === negotiated || policy.key === negotiated.key) return true;
  // The compiler sees to it that no setting is forgotten here.
  const { key: _, minVersion, clientAuthorities, certificate: __, ...others } = policy;
  others satisfies Record<string, never>;
  if (!sameAuthorities(clientAuthorities, negotiated.clientAuthorities)) return false;
  return versions.indexOf(facts.tls?.version ?? '') >= versions.indexOf(minVersion);
}

function sameAuthorities(one: readonly string[] | null, other: readonly string[] | null): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((pem, at) => pem === other[at]);
}
