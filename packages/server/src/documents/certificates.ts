/** Stored shapes of X.509 certificates and of the authorities that sign them. */
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
