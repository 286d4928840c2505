/** Stored shapes of X.509 certificates and of the authorities that sign them. */
import type { Hostname } from '../core/hostname.ts';
import type { Described } from './described.ts';

/** What is shown of a certificate. */
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
    /** Milliseconds since 1970; absent for one that was uploaded. */
    readonly issued_at?: number;
  };

/** A certificate that the service gets and renews: what was asked for, and how far it is. Times are milliseconds since 1970. */
export type ManagedCertificate = {
  readonly authority: 'public_ca';
  readonly private_key_type: 'rsa' | 'ecdsa';
  /** When it was asked for; asked for anew it is another one. */
  readonly set_at: number;
  /** Null before the first certificate. */
  readonly renews_at: number | null;
  /** Null while nothing has to be done. */
  readonly job: ProvisioningJob | null;
};

export type ProvisioningJob = {
  readonly started_at: number;
  /** Null unless the last attempt failed. */
  readonly failure: ProvisioningFailure | null;
};

export type ProvisioningFailure = {
  /** `INTERNAL_ERROR` passes, `DNS_ERROR` has to be mended by whoever has the name (specification, section 2.13). */
  readonly error_code: 'INTERNAL_ERROR' | 'DNS_ERROR';
  readonly msg: string;
  readonly retries_at: number;
  /** Failed ones in a row. */
  readonly attempts: number;
};

/** Account `system`, one for each shared domain: the certificate of the service's own names. */
export type ServiceCertificateDocument = {
  readonly domain: Hostname;
  readonly managed: ManagedCertificate;
  /** The leaf first; '' before there is one. */
  readonly certificate_pem: string;
  /** PKCS#8 PEM, sealed for `<id>/private_key`; '' before there is one. */
  readonly private_key_sealed: string;
};

/** Account `system`, one for each directory. */
export type AcmeAccountDocument = {
  readonly directory: string;
  /** As the certificate authority calls it; '' before it knows it. */
  readonly url: string;
  /** PKCS#8 PEM, sealed. */
  readonly key_sealed: string;
};

/** What proves to a certificate authority that a name is served here, while it is asked for. A child of the document that wants the certificate. */
export type AcmeChallengeDocument = {
  readonly type: 'http-01' | 'tls-alpn-01';
  readonly hostname: Hostname;
  readonly token: string;
  /** The token with the fingerprint of the account's key (RFC 8555, section 8.1); no secret. */
  readonly key_authorization: string;
};

/** What an attempt has begun at a certificate authority. A child of the document that wants the certificate. */
export type AcmeOrderDocument = {
  readonly directory: string;
  /** Of the order, at the authority. */
  readonly url: string;
  /** When the job began that it belongs to, and when it was made, in milliseconds since 1970. */
  readonly job_started_at: number;
  readonly created_at: number;
  /** The certificate request, in PEM. */
  readonly request: string;
  /** PKCS#8 PEM, sealed for `<id>/private_key`. */
  readonly private_key_sealed: string;
};

/** One for each account that has asked for certificates. */
export type AcmeShareDocument = {
  /** When it did, within a week, in milliseconds since 1970; the newest last. */
  readonly times: readonly number[];
};

/** Account `system`, one document: which daemon asks for certificates. */
export type AcmeLeaseDocument = {
  /** Of a process; '' when none does. */
  readonly daemon: string;
};

/** Account `system`, one for each purpose. */
export type MacKeyDocument = {
  readonly purpose: 'bind-token' | 'ssh-host-key' | 'login';
  /** Base64, sealed. */
  readonly key_sealed: string;
};

/** Account `system`, one document: the CA that signs names which have no other certificate. */
export type LocalCaDocument = {
  readonly certificate_pem: string;
  /** PKCS#8 PEM, sealed. */
  readonly private_key_sealed: string;
};
