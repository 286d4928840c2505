/**
 * The stored shape of each kind. The engine writes these shapes, and followers of the store read them. Id, account,
 * revision and parent are columns of the store. `created_at` is the time inside the id.
 * Invariant: a body is read with the shape of its document's kind, without a cast.
 * Invariant: a field never changes without a migration.
 */
import type {
  AccountDocument,
  ApiKeyDocument,
  BotUserDocument,
  ConsoleLinkDocument,
  ConsoleSessionDocument,
  CredentialDocument,
  IpPolicyDocument,
  IpPolicyRuleDocument,
  IpRestrictionDocument,
  LoginRecordDocument,
  UserDocument,
} from './access.ts';
import type {
  FailoverBackendDocument,
  HttpResponseBackendDocument,
  StaticBackendDocument,
  TunnelGroupBackendDocument,
  WeightedBackendDocument,
} from './backends.ts';
import type {
  AcmeAccountDocument,
  AcmeChallengeDocument,
  AcmeLeaseDocument,
  AcmeOrderDocument,
  AcmeShareDocument,
  CertificateAuthorityDocument,
  LocalCaDocument,
  MacKeyDocument,
  ServiceCertificateDocument,
  TlsCertificateDocument,
  WorkLeaseDocument,
} from './certificates.ts';
import type { DnsTextDocument, DomainProofDocument } from './dns.ts';
import type {
  EndpointConfigurationDocument,
  HttpsEdgeDocument,
  HttpsEdgeRouteDocument,
  TcpEdgeDocument,
  TlsEdgeDocument,
} from './edges.ts';
import type {
  EventDeliveryDocument,
  EventDestinationDocument,
  EventSubscriptionDocument,
  FailedEventDocument,
} from './events.ts';
import type { ReservedAddrDocument, ReservedDomainDocument } from './names.ts';
import type {
  SshCertificateAuthorityDocument,
  SshCredentialDocument,
  SshHostCertificateDocument,
  SshUserCertificateDocument,
} from './ssh.ts';
import type { BodyRecordingDocument } from './traffic.ts';

/** The shapes by kind. They are type aliases, because the compiler accepts only an alias as a JSON object. */
export type Documents = {
  readonly account: AccountDocument;
  readonly user: UserDocument;
  readonly bot_user: BotUserDocument;
  readonly api_key: ApiKeyDocument;
  readonly credential: CredentialDocument;
  readonly http_response_backend: HttpResponseBackendDocument;
  readonly tunnel_group_backend: TunnelGroupBackendDocument;
  readonly failover_backend: FailoverBackendDocument;
  readonly weighted_backend: WeightedBackendDocument;
  readonly static_backend: StaticBackendDocument;
  readonly tls_edge: TlsEdgeDocument;
  readonly https_edge: HttpsEdgeDocument;
  readonly https_edge_route: HttpsEdgeRouteDocument;
  readonly tcp_edge: TcpEdgeDocument;
  readonly reserved_domain: ReservedDomainDocument;
  readonly reserved_addr: ReservedAddrDocument;
  readonly endpoint_configuration: EndpointConfigurationDocument;
  readonly ip_policy: IpPolicyDocument;
  readonly ip_policy_rule: IpPolicyRuleDocument;
  readonly ip_restriction: IpRestrictionDocument;
  readonly certificate_authority: CertificateAuthorityDocument;
  readonly tls_certificate: TlsCertificateDocument;
  readonly event_destination: EventDestinationDocument;
  readonly event_subscription: EventSubscriptionDocument;
  readonly failed_event: FailedEventDocument;
  readonly event_delivery: EventDeliveryDocument;
  readonly ssh_certificate_authority: SshCertificateAuthorityDocument;
  readonly ssh_host_certificate: SshHostCertificateDocument;
  readonly ssh_user_certificate: SshUserCertificateDocument;
  readonly ssh_credential: SshCredentialDocument;
  readonly service_certificate: ServiceCertificateDocument;
  readonly acme_account: AcmeAccountDocument;
  readonly acme_challenge: AcmeChallengeDocument;
  readonly acme_lease: AcmeLeaseDocument;
  readonly work_lease: WorkLeaseDocument;
  readonly acme_order: AcmeOrderDocument;
  readonly acme_share: AcmeShareDocument;
  readonly login_record: LoginRecordDocument;
  readonly console_link: ConsoleLinkDocument;
  readonly console_session: ConsoleSessionDocument;
  readonly body_recording: BodyRecordingDocument;
  readonly local_ca: LocalCaDocument;
  readonly mac_key: MacKeyDocument;
  readonly dns_text: DnsTextDocument;
  readonly domain_proof: DomainProofDocument;
};

export type KindName = keyof Documents;
