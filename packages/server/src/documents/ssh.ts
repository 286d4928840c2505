/** Stored shapes of SSH keys, certificates and authorities. */
import type { Owned } from './access.ts';
import type { Described } from './described.ts';

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
  /** The key as the request gave it, without surrounding white space. */
  readonly public_key: string;
  readonly key_type: SshKeyType;
  readonly principals: readonly string[];
  readonly valid_after: string;
  readonly valid_until: string;
  /** A decimal number, never zero. Each certificate of an authority has its own. */
  readonly serial: string;
  readonly certificate: string;
};

export type SshUserCertificateDocument = SshHostCertificateDocument & {
  readonly critical_options: Readonly<Record<string, string>>;
  readonly extensions: Readonly<Record<string, string>>;
};

export type SshCredentialDocument = Described &
  Owned & {
    /** The key as the request gave it, without surrounding white space. */
    readonly public_key: string;
    /** `SHA256:…`, by which an offered key is looked up. */
    readonly fingerprint: string;
    /** Bind rules, see `CredentialDocument`. */
    readonly acl: readonly string[];
  };
