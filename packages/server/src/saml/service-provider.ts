/** One SAML module as both sides of a login need it: the names where users are sent away, and the service where they come back. Never one without all that is needed to judge who comes. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { type SamlUrls, signingKeyContext } from '../core/saml-settings.ts';
import type { SamlModule } from '../documents/index.ts';
import type { Login } from '../login/login.ts';
import { LoginFault } from '../login/login-fault.ts';
import { placeOf } from '../login/place.ts';
import { type IdpMetadata, type ProviderService, readIdpMetadata } from '../pki/idp-metadata.ts';
import { certificateDigestOf, type VerificationKey } from './signed.ts';
import { skewMs, textOfTime } from './times.ts';

/** Key of the provider. */
export interface ProviderKey extends VerificationKey {
  /** Name by which a session remembers the key that vouched for it. */
  readonly handle: string;
}

export interface ServiceProviderOptions {
  /** Id of the resource with the module. */
  readonly id: string;
  readonly config: SamlModule;
  readonly login: Login;
  /** Opens a secret that was sealed for `context`; null if that fails. */
  readonly secret: (sealed: string, context: string) => string | null;
}

export class ServiceProvider {
  readonly id: string;
  readonly config: SamlModule;
  readonly login: Login;
  readonly urls: SamlUrls;
  readonly metadata: IdpMetadata;
  readonly keys: readonly ProviderKey[];
  /** The key that signs requests. */
  readonly signingKey: KeyObject;
  /** The place for which sessions and unfinished logins are sealed. */
  readonly place: string;

  private constructor(
    { id, config, login }: ServiceProviderOptions,
    metadata: IdpMetadata,
    signingKeyPem: string,
  ) {
    this.id = id;
    this.config = config;
    this.login = login;
    this.urls = login.samlUrls(id);
    this.metadata = metadata;
    this.keys = keysOf(metadata);
    this.signingKey = createPrivateKey(signingKeyPem);
    this.place = placeOf(login.key, {
      module: 'saml',
      at: id,
      generation: config.generation,
      issuedBy: this.issuedBy,
    });
  }

  /** Null: the key cannot be opened, or the metadata not be read. */
  static open(options: ServiceProviderOptions): ServiceProvider | null {
    const { idp_metadata, request_signing_certificate_pem, request_signing_key_sealed } = options.config;
    const metadata = readIdpMetadata(idp_metadata);
    const key = options.secret(
      request_signing_key_sealed,
      signingKeyContext(request_signing_certificate_pem),
    );
    return 'fault' in metadata || key === null ? null : new ServiceProvider(options, metadata, key);
  }

  /** Throws LoginFault if the validity of the provider's metadata has ended. */
  refuseIfExpired(): void {
    const { validUntil } = this.metadata;
    const now = this.login.now();
    if (validUntil === null || now < validUntil + skewMs) return;
    const reason = `the metadata was valid until ${textOfTime(validUntil)}, and it is ${textOfTime(now)}`;
    throw new LoginFault('loginProviderExpired', 'metadata', reason);
  }

  /** Entity id of the provider: see Place. */
  get issuedBy(): readonly string[] {
    return [this.metadata.entityId];
  }

  /** The provider's, the redirect first: it needs no page of ours. */
  serviceOf(kind: 'signOn' | 'logout'): ProviderService | undefined {
    const services = this.metadata[kind];
    return services.find(({ binding }) => binding === 'redirect') ?? services[0];
  }
}

/** Each once: metadata repeats a certificate for each descriptor. */
function keysOf({ certificates }: IdpMetadata): readonly ProviderKey[] {
  const keys = certificates.map(({ publicKey, fingerprint256, raw }): [string, ProviderKey] => [
    fingerprint256,
    { publicKey, handle: `key ${fingerprint256}`, certificateDigest: certificateDigestOf(raw) },
  ]);
  return [...new Map(keys).values()];
}
