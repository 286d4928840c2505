/**
 * The kinds of resources that there are.
 * In: their definitions. Out: the list that the engine, the API and OpenAPI go by. What may change here: a line per kind.
 */
import type { ResourceKind } from './definition.ts';
import { apiKey } from './kinds/api-key.ts';
import { certificateAuthority } from './kinds/certificate-authority.ts';
import { credential } from './kinds/credential.ts';
import { endpoint } from './kinds/endpoint.ts';
import { httpResponseBackend } from './kinds/http-response-backend.ts';
import { ipPolicy } from './kinds/ip-policy.ts';
import { ipPolicyRule } from './kinds/ip-policy-rule.ts';
import { reservedDomain } from './kinds/reserved-domain.ts';
import { sshCertificateAuthority } from './kinds/ssh-certificate-authority.ts';
import { sshCredential } from './kinds/ssh-credential.ts';
import { sshHostCertificate } from './kinds/ssh-host-certificate.ts';
import { sshUserCertificate } from './kinds/ssh-user-certificate.ts';
import { tlsCertificate } from './kinds/tls-certificate.ts';
import { tlsEdge } from './kinds/tls-edge.ts';
import { tunnel } from './kinds/tunnel.ts';
import { tunnelGroupBackend } from './kinds/tunnel-group-backend.ts';
import { tunnelSession } from './kinds/tunnel-session.ts';

export const resourceKinds: readonly ResourceKind[] = [
  httpResponseBackend,
  tunnelGroupBackend,
  tlsEdge,
  reservedDomain,
  ipPolicy,
  ipPolicyRule,
  certificateAuthority,
  tlsCertificate,
  credential,
  sshCredential,
  sshCertificateAuthority,
  sshHostCertificate,
  sshUserCertificate,
  apiKey,
  tunnel,
  tunnelSession,
  endpoint,
];
