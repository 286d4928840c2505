/** The kinds of resources that there are. */
import { surfacesOf } from '../aliases.ts';
import type { KindSurface, ResourceKind } from '../definition.ts';
import { apiKey } from './api-key.ts';
import { botUser } from './bot-user.ts';
import { certificateAuthority } from './certificate-authority.ts';
import { credential } from './credential.ts';
import { endpoint } from './endpoint.ts';
import { endpointConfiguration } from './endpoint-configuration.ts';
import { eventDestination } from './event-destination.ts';
import { eventSubscription } from './event-subscription.ts';
import { failoverBackend } from './failover-backend.ts';
import { httpResponseBackend } from './http-response-backend.ts';
import { httpsEdge } from './https-edge.ts';
import { httpsEdgeRoute } from './https-edge-route.ts';
import { ipPolicy } from './ip-policy.ts';
import { ipPolicyRule } from './ip-policy-rule.ts';
import { ipRestriction } from './ip-restriction.ts';
import { reservedAddr } from './reserved-addr.ts';
import { reservedDomain } from './reserved-domain.ts';
import { sshCertificateAuthority } from './ssh-certificate-authority.ts';
import { sshCredential } from './ssh-credential.ts';
import { sshHostCertificate } from './ssh-host-certificate.ts';
import { sshUserCertificate } from './ssh-user-certificate.ts';
import { staticBackend } from './static-backend.ts';
import { tcpEdge } from './tcp-edge.ts';
import { tlsCertificate } from './tls-certificate.ts';
import { tlsEdge } from './tls-edge.ts';
import { tunnel } from './tunnel.ts';
import { tunnelGroupBackend } from './tunnel-group-backend.ts';
import { tunnelSession } from './tunnel-session.ts';
import { user } from './user.ts';
import { weightedBackend } from './weighted-backend.ts';

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

/** The same as the API shows them: under every name that they have. */
export const resourceSurfaces: readonly KindSurface[] = surfacesOf(resourceKinds);
