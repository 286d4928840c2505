/** A good configuration of every module, with what it refers to made in that account first. */
import { idpMetadata } from '../../packages/server/src/pki/idp-metadata.fixture.ts';
import type { JsonObject } from '../../packages/server/src/store/store.ts';
import type { Account } from './account.fixture.ts';

/** Returns configurations by the module's name. */
export async function configurations(account: Account): Promise<Readonly<Record<string, JsonObject>>> {
  const [backend, policy, authority] = await Promise.all(
    ['http_response_backend', 'ip_policy', 'certificate_authority'].map((kind) => account.make(kind)),
  );
  const ip_policy_ids = [policy?.id ?? ''];
  return {
    backend: { backend_id: backend?.id ?? '' },
    ip_restriction: { ip_policy_ids },
    ip_policy: { ip_policy_ids },
    mutual_tls: { certificate_authority_ids: [authority?.id ?? ''] },
    tls_termination: { terminate_at: 'edge', min_version: '1.2' },
    basic_auth: { realm: 'Reports', allow_options: true },
    webhook_verification: { provider: 'github', secret: 'It is a secret' },
    webhook_validation: { provider: 'GITHUB', secret: 'It is a secret' },
    circuit_breaker: { error_threshold_percentage: 0.5 },
    compression: {},
    request_headers: { remove: ['x-a'] },
    response_headers: { remove: ['x-a'] },
    saml: { idp_metadata: idpMetadata() },
    oauth: { provider: { github: { client_id: 'reports', client_secret: 'It is a secret' } } },
    oidc: { issuer: 'https://login.example.com', client_id: 'reports', client_secret: 'It is a secret' },
    websocket_tcp_converter: {},
    user_agent_filter: { allow: ['curl'] },
  };
}
