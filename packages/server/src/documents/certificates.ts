/** Stored shapes of X.509 certificates and of the authorities that sign them. */
import type { Hostname } from '../core/names/hostname.ts';
import type { Described } from './described.ts';

/** Public facts about a certificate. */
export type AuthorityFacts = {
  readonly subject_common_name: string;
  readonly not_before: string;
  readonly not_after: string;
  readonly key_usages: readonly string[];
  readonly extended_key_usages: readonly string[];
};

export type ServerFacts = AuthorityFacts & {
  readonly subject_alternative_names: {
    readonly dns_names: readonly string[];
    readonly ips: readonly string[];
  };
  readonly issuer_common_name: string;
  /** Lower-case hex, two digits a byte. */
  readonly serial_number: string;
  readonly subject_organization: string;
  readonly subject_organizational_unit: string;
  readonly subject_locality: string;
  readonly subject_province: string;
  readonly subject_country: string;
};

export type CertificateAuthorityDocument = Described &
  AuthorityFacts & {
    /** The PEM as it was uploaded. */
    readonly ca_pem: string;
  };

export type TlsCertificateDocument = Described &
  ServerFacts & {
    /** The PEM as it was uploaded, the leaf first. */
    readonly certificate_pem: string;
    readonly private_key_type: 'rsa' | 'ecdsa' | 'ed25519';
    /** PKCS#8 PEM, sealed for `<id>/private_key`. */
    readonly private_key_sealed: string;
    /** Milliseconds since 1970; absent for an uploaded certificate. */
    readonly issued_at?: number;
  };

/** The policy and the state of a certificate that the service obtains and renews. Times are milliseconds since 1970. */
export type ManagedCertificate = {
  readonly authority: 'public_ca';
  readonly private_key_type: 'rsa' | 'ecdsa';
  /** The time of the order. A new order is another certificate. */
  readonly set_at: number;
  /** The time of the renewal; null before the first certificate. */
  readonly renews_at: number | null;
  /** Null while nothing is in progress. */
  readonly job: ProvisioningJob | null;
};

export type ProvisioningJob = {
  readonly started_at: number;
  /** Null unless the last attempt failed. */
  readonly failure: ProvisioningFailure | null;
};

export type ProvisioningFailure = {
  /**
   * `INTERNAL_ERROR` passes by itself. The owner of the name must correct a `DNS_ERROR` (specification, section 2.13).
   */
  readonly error_code: 'INTERNAL_ERROR' | 'DNS_ERROR';
  readonly msg: string;
  readonly retries_at: number;
  /** Failed attempts in a row. */
  readonly attempts: number;
};

/** The certificate of the service's own names. Account `system`, one for each shared domain, and one for each host outside it. */
export type ServiceCertificateDocument = {
  readonly domain: Hostname;
  /** True if it is for this one name. Otherwise it is for the domain and the names right below it. */
  readonly is_single?: true;
  readonly managed: ManagedCertificate;
  /** The leaf first; '' before the first certificate. */
  readonly certificate_pem: string;
  /** PKCS#8 PEM, sealed for `<id>/private_key`; '' before the first certificate. */
  readonly private_key_sealed: string;
};

/** An account at a certificate authority. Account `system`, one for each directory. */
export type AcmeAccountDocument = {
  readonly directory: string;
  /** The account's URL at the authority; '' before it is known. */
  readonly url: string;
  /** PKCS#8 PEM, sealed. */
  readonly key_sealed: string;
};

/**
 * A proof to a certificate authority that a name is served here, during an order. Its parent is the document that wants
 * the certificate.
 */
export type AcmeChallengeDocument = {
  readonly type: 'http-01' | 'tls-alpn-01';
  readonly hostname: Hostname;
  readonly token: string;
  /** The token with the fingerprint of the account's key (RFC 8555, section 8.1); no secret. */
  readonly key_authorization: string;
};

/** An order at a certificate authority. Its parent is the document that wants the certificate. */
export type AcmeOrderDocument = {
  readonly directory: string;
  /** The order's URL at the authority. */
  readonly url: string;
  /** The start of the order's job, and the creation of the order, in milliseconds since 1970. */
  readonly job_started_at: number;
  readonly created_at: number;
  /** The certificate request, in PEM. */
  readonly request: string;
  /** PKCS#8 PEM, sealed for `<id>/private_key`. */
  readonly private_key_sealed: string;
};

/** The orders of one account. There is one document for each account that ordered certificates. */
export type AcmeShareDocument = {
  /** Times of the orders within a week, in milliseconds since 1970, the newest last. */
  readonly times: readonly number[];
};

/** The lease of the daemon that orders certificates. Account `system`, one document. */
export type AcmeLeaseDocument = {
  /** The id of a process; '' for none. */
  readonly daemon: string;
};

/** The lease of the daemon that does some work for all. Account `system`, one for each kind of work. */
export type WorkLeaseDocument = AcmeLeaseDocument;

/** A key for message authentication. Account `system`, one for each purpose. */
export type MacKeyDocument = {
  readonly purpose: 'bind-token' | 'ssh-host-key' | 'ssh-host-key-ecdsa' | 'login' | 'login-digest';
  /** Base64, sealed. */
  readonly key_sealed: string;
};

/** The local authority, which signs names without another certificate. Account `system`, one document. */
export type LocalCaDocument = {
  readonly certificate_pem: string;
  /** PKCS#8 PEM, sealed. */
  readonly private_key_sealed: string;
};
