/** The kinds of resources that there are. */
import type { ResourceKind } from './definition.ts';
import { apiKey } from './kinds/api-key.ts';
import { botUser } from './kinds/bot-user.ts';
import { certificateAuthority } from './kinds/certificate-authority.ts';
import { credential } from './kinds/credential.ts';
import { endpoint } from './kinds/endpoint.ts';
import { endpointConfiguration } from './kinds/endpoint-configuration.ts';
import { eventDestination } from './kinds/event-destination.ts';
import { eventSubscription } from './kinds/event-subscription.ts';
import { failoverBackend } from './kinds/failover-backend.ts';
import { httpResponseBackend } from './kinds/http-response-backend.ts';
import { httpsEdge } from './kinds/https-edge.ts';
import { httpsEdgeRoute } from './kinds/https-edge-route.ts';
import { ipPolicy } from './kinds/ip-policy.ts';
import { ipPolicyRule } from './kinds/ip-policy-rule.ts';
import { ipRestriction } from './kinds/ip-restriction.ts';
import { reservedAddr } from './kinds/reserved-addr.ts';
import { reservedDomain } from './kinds/reserved-domain.ts';
import { sshCertificateAuthority } from './kinds/ssh-certificate-authority.ts';
import { sshCredential } from './kinds/ssh-credential.ts';
import { sshHostCertificate } from './kinds/ssh-host-certificate.ts';
import { sshUserCertificate } from './kinds/ssh-user-certificate.ts';
import { staticBackend } from './kinds/static-backend.ts';
import { tcpEdge } from './kinds/tcp-edge.ts';
import { tlsCertificate } from './kinds/tls-certificate.ts';
import { tlsEdge } from './kinds/tls-edge.ts';
import { tunnel } from './kinds/tunnel.ts';
import { tunnelGroupBackend } from './kinds/tunnel-group-backend.ts';
import { tunnelSession } from './kinds/tunnel-session.ts';
import { user } from './kinds/user.ts';
import { weightedBackend } from './kinds/weighted-backend.ts';

export const resourceKinds: readonly ResourceKind[] = [
  httpResponseBackend,
  tunnelGroupBackend,
  failoverBackend,
  weightedBackend,
  staticBackend,
  tlsEdge,
  httpsEdge,
  httpsEdgeRoute,
  tcpEdge,
  reservedDomain,
  reservedAddr,
  endpointConfiguration,
  ipPolicy,
  ipPolicyRule,
  ipRestriction,
  certificateAuthority,
  tlsCertificate,
  credential,
  sshCredential,
  sshCertificateAuthority,
  sshHostCertificate,
  sshUserCertificate,
  eventDestination,
  eventSubscription,
  apiKey,
  user,
  botUser,
  tunnel,
  tunnelSession,
  endpoint,
];
