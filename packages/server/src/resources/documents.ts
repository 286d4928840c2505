/**
 * The stored shape of each kind (the body of its document), as the engine writes it and the data plane reads it.
 * In: nothing. Out: types. What may change here: a field, together with the kind's file and a migration.
 * Id, account, revision and parent are columns of the store; `created_at` is the time inside the id.
 */
import type { HostPattern } from '../core/hostname.ts';
import type { AuthorityFacts, ServerFacts } from '../pki/certificate-facts.ts';

export type KindName =
  | 'account'
  | 'user'
  | 'api_key'
  | 'credential'
  | 'http_response_backend'
  | 'tunnel_group_backend'
  | 'tls_edge'
  | 'reserved_domain'
  | 'ip_policy'
  | 'ip_policy_rule'
  | 'certificate_authority'
  | 'tls_certificate'
  | 'tunnel'
  | 'tunnel_session'
  | 'endpoint'
  | 'ssh_certificate_authority'
  | 'ssh_host_certificate'
  | 'ssh_user_certificate'
  | 'ssh_credential'
  | 'local_ca';

// Type aliases, not interfaces: only an alias is known to be a JSON object.

export type Described = {
  readonly description: string;
  readonly metadata: string;
};

export type AccountDocument = {
  readonly name: string;
};

export type UserDocument = {
  readonly name: string;
  readonly email: string;
  readonly role: 'admin' | 'member';
  readonly active: boolean;
};

export type ApiKeyDocument = Described & {
  /** SHA-256 of the whole token, base64url. A token is `<id suffix>_<secret>`, so the id is found from the token. */
  readonly token_hash: string;
  readonly owner_id: string;
};

export type CredentialDocument = Described & {
  /** As in `ApiKeyDocument`. */
  readonly token_hash: string;
  readonly owner_id: string;
  /** Bind rules as they were given; each is known to parse. */
  readonly acl: readonly string[];
};

export type HttpResponseBackendDocument = Described & {
  readonly body: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status_code: number;
};

export type TunnelGroupBackendDocument = Described & {
  readonly labels: Readonly<Record<string, string>>;
};

export type ReservedDomainDocument = Described & {
  readonly domain: HostPattern;
  readonly region: string;
  /** `''` for names below the shared domain. */
  readonly cname_target: string;
  /** `cert_…` of an uploaded certificate; absent in documents from before there were any. */
  readonly certificate_id?: string | null;
};

export type IpPolicyDocument = Described;

/** The parent is the policy. */
export type IpPolicyRuleDocument = Described & {
  /** Canonical. */
  readonly cidr: string;
  readonly ip_policy_id: string;
  readonly action: 'allow' | 'deny';
};

export type CertificateAuthorityDocument = Described &
  AuthorityFacts & {
    /** As it was uploaded. */
    readonly ca_pem: string;
  };

export type TlsCertificateDocument = Described &
  ServerFacts & {
    /** As it was uploaded: the leaf first. */
    readonly certificate_pem: string;
    readonly private_key_type: 'rsa' | 'ecdsa' | 'ed25519';
    /** PKCS#8 PEM, sealed for `<id>/private_key`. */
    readonly private_key_sealed: string;
  };

export type BackendModule = {
  readonly enabled: boolean;
  readonly backend_id: string;
};

export type IpRestrictionModule = {
  readonly enabled: boolean;
  readonly ip_policy_ids: readonly string[];
};

export type MutualTlsModule = {
  readonly enabled: boolean;
  readonly certificate_authority_ids: readonly string[];
};

export type TlsTerminationModule = {
  readonly enabled: boolean;
  readonly terminate_at: 'edge' | 'upstream';
  /** `''` for the default. */
  readonly min_version: '' | '1.0' | '1.1' | '1.2' | '1.3';
};

export type EdgeHostport = {
  readonly hostname: HostPattern;
  /** Always 443: the port of the base URL means the same front door. */
  readonly port: number;
  /** `ep_…` of the endpoint that exists while this hostport stands. */
  readonly endpoint_id: string;
  readonly created_at: string;
  /** `rd_…` of the reservation that the hostname stands on: that name, or a wildcard over it. */
  readonly domain_id: string;
};

export type TlsEdgeDocument = Described & {
  readonly hostports: readonly EdgeHostport[];
  readonly backend: BackendModule | null;
  readonly ip_restriction: IpRestrictionModule | null;
  readonly mutual_tls: MutualTlsModule | null;
  readonly tls_termination: TlsTerminationModule | null;
};

type SshKeyType = 'rsa' | 'ecdsa' | 'ed25519';

export type SshCertificateAuthorityDocument = Described & {
  /** `<algorithm> <base64>`. */
  readonly public_key: string;
  readonly key_type: SshKeyType;
  /** PKCS#8 PEM, sealed for this document's id. */
  readonly private_key_sealed: string;
};

export type SshHostCertificateDocument = Described & {
  readonly ssh_certificate_authority_id: string;
  /** As it was given, without the white space around it. */
  readonly public_key: string;
  readonly key_type: SshKeyType;
  readonly principals: readonly string[];
  readonly valid_after: string;
  readonly valid_until: string;
  /** Decimal; never zero, and no two certificates of an authority have the same. */
  readonly serial: string;
  readonly certificate: string;
};

export type SshUserCertificateDocument = SshHostCertificateDocument & {
  readonly critical_options: Readonly<Record<string, string>>;
  readonly extensions: Readonly<Record<string, string>>;
};

export type SshCredentialDocument = Described & {
  /** As it was given, without the white space around it. */
  readonly public_key: string;
  /** `SHA256:…`; what a key that is offered is found by. */
  readonly fingerprint: string;
  readonly owner_id: string;
  /** As in `CredentialDocument`. */
  readonly acl: readonly string[];
};

/** Account `system`, one document: the CA that signs names which have no other certificate. */
export type LocalCaDocument = {
  readonly certificate_pem: string;
  /** PKCS#8 PEM, sealed. */
  readonly private_key_sealed: string;
};
