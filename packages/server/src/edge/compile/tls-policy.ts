/**
 * Compiles the TLS settings of a site.
 * Invariant: a site with client certificates accepts only those that a listed authority signed.
 */
import { createHash } from 'node:crypto';
import type { MutualTlsModule, TlsTerminationModule } from '../../documents/index.ts';
import type { AgentMutualTls } from '../../online/agent-modules.ts';
import type { Look } from '../sites/look.ts';
import type { TlsPolicy } from '../sites/site.ts';

const minVersions = {
  '': 'TLSv1.2',
  '1.0': 'TLSv1',
  '1.1': 'TLSv1.1',
  '1.2': 'TLSv1.2',
  '1.3': 'TLSv1.3',
} as const satisfies Record<TlsTerminationModule['min_version'], TlsPolicy['minVersion']>;

export interface TlsModules {
  readonly tls_termination: Pick<TlsTerminationModule, 'enabled' | 'min_version'> | null;
  readonly mutual_tls: MutualTlsModule | AgentMutualTls | null;
}

/** `site` is the id of what the policy is of: no two sites share one. */
export function tlsPolicy(site: string, { tls_termination, mutual_tls }: TlsModules, look: Look): TlsPolicy {
  const minVersion = minVersions[tls_termination?.enabled ? tls_termination.min_version : ''];
  const clientAuthorities = mutual_tls?.enabled ? authoritiesOf(mutual_tls, look) : null;
  const asked = clientAuthorities === null ? '' : `/${digest(clientAuthorities)}`;
  return { key: `${site}/${minVersion}${asked}`, minVersion, clientAuthorities };
}

/** One that is gone signs nothing. */
function authoritiesOf(module: MutualTlsModule | AgentMutualTls, look: Look): readonly string[] {
  if ('authorities' in module) return module.authorities;
  return module.certificate_authority_ids.flatMap((id) => {
    const authority = look.get('certificate_authority', id);
    return authority === undefined ? [] : [authority.body.ca_pem];
  });
}

function digest(authorities: readonly string[]): string {
  const hash = createHash('sha256');
  for (const pem of authorities) hash.update(`${pem.length}\n${pem}`);
  return hash.digest('base64url');
}
