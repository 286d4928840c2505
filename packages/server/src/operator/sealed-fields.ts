/**
 * Lists the sealed values of documents, each with the place that it is sealed for.
 * Invariant: none is left out. The compiler looks for fields `…_sealed`.
 */
import { oauthSecretContext } from '../core/modules/oauth-providers.ts';
import { oidcSecretContext } from '../core/modules/oidc-settings.ts';
import { webhookSecretContext } from '../core/modules/webhook-providers.ts';
import { signingKeyContext } from '../core/saml-settings.ts';
import type {
  Documents,
  EventTarget,
  KindName,
  OauthModule,
  OidcModule,
  SamlModule,
  StoredDocument,
  WebhookVerificationModule,
} from '../documents/index.ts';
import { acmeAccountContext } from '../pki/acme-account.ts';
import { localCaContext } from '../pki/local-authority.ts';
import { macKeyContext } from '../pki/mac-key.ts';
import { keyContext } from '../pki/uploaded-certificate.ts';
import { secretContext } from '../resources/event-targets/index.ts';
import { sealContext } from '../resources/ssh-authority.ts';

/** Maps a sealed value and its place to the new value. */
export type ChangeSealed = (sealed: string, context: string) => string;

type HasSealed<T> = T extends readonly (infer Element)[]
  ? HasSealed<Element>
  : T extends object
    ? { [Key in keyof T]: Key extends `${string}_sealed` ? true : HasSealed<T[Key]> }[keyof T]
    : never;

export type SealedKind = {
  [Kind in KindName]: true extends HasSealed<Documents[Kind]> ? Kind : never;
}[KindName];

const KINDS: Readonly<Record<SealedKind, true>> = {
  local_ca: true,
  mac_key: true,
  acme_account: true,
  acme_order: true,
  service_certificate: true,
  tls_certificate: true,
  ssh_certificate_authority: true,
  event_destination: true,
  https_edge_route: true,
  endpoint_configuration: true,
};

export const SEALED_KINDS = Object.keys(KINDS) as SealedKind[];

/** The body with each sealed value changed. */
export function changeSealed(
  document: StoredDocument<SealedKind>,
  change: ChangeSealed,
): Documents[SealedKind] {
  const { id, kind, body } = document;
  switch (kind) {
    case 'local_ca':
      return { ...body, private_key_sealed: change(body.private_key_sealed, localCaContext) };
    case 'mac_key':
      return { ...body, key_sealed: change(body.key_sealed, macKeyContext(body.purpose)) };
    case 'acme_account':
      return { ...body, key_sealed: change(body.key_sealed, acmeAccountContext(body.directory)) };
    case 'service_certificate':
      if (body.private_key_sealed === '') return body;
      return { ...body, private_key_sealed: change(body.private_key_sealed, keyContext(id)) };
    case 'acme_order':
    case 'tls_certificate':
      return { ...body, private_key_sealed: change(body.private_key_sealed, keyContext(id)) };
    case 'ssh_certificate_authority':
      return { ...body, private_key_sealed: change(body.private_key_sealed, sealContext(id)) };
    case 'event_destination':
      return { ...body, target: changeTarget(body.target, (sealed) => change(sealed, secretContext(id))) };
    case 'https_edge_route':
      return {
        ...body,
        webhook_verification: body.webhook_verification && changeWebhook(body.webhook_verification, change),
        saml: body.saml && changeSaml(body.saml, change),
        oidc: body.oidc && changeOidc(body.oidc, change),
        oauth: body.oauth && changeOauth(body.oauth, change),
      };
    case 'endpoint_configuration':
      return {
        ...body,
        webhook_validation: body.webhook_validation && changeWebhook(body.webhook_validation, change),
        saml: body.saml && changeSaml(body.saml, change),
        oidc: body.oidc && changeOidc(body.oidc, change),
        oauth: body.oauth && changeOauth(body.oauth, change),
      };
  }
}

/** Everything in a body that is sealed by the name of its field, also what a newer version has written there. */
export function sealedIn(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') return name.endsWith('_sealed') && value !== '' ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => sealedIn(one, key));
}

/** A target that takes no secret has ''. */
function changeTarget(target: EventTarget, change: (sealed: string) => string): EventTarget {
  return target.secret_sealed === '' ? target : { ...target, secret_sealed: change(target.secret_sealed) };
}

function changeWebhook(module: WebhookVerificationModule, change: ChangeSealed): WebhookVerificationModule {
  return { ...module, secret_sealed: change(module.secret_sealed, webhookSecretContext(module.provider)) };
}

function changeSaml(module: SamlModule, change: ChangeSealed): SamlModule {
  const context = signingKeyContext(module.request_signing_certificate_pem);
  return { ...module, request_signing_key_sealed: change(module.request_signing_key_sealed, context) };
}

function changeOidc(module: OidcModule, change: ChangeSealed): OidcModule {
  return { ...module, client_secret_sealed: change(module.client_secret_sealed, oidcSecretContext(module)) };
}

function changeOauth(module: OauthModule, change: ChangeSealed): OauthModule {
  const { provider } = module;
  // Without an application of its own it has no secret.
  if (provider.client_secret_sealed === '') return module;
  const client_secret_sealed = change(provider.client_secret_sealed, oauthSecretContext(provider));
  return { ...module, provider: { ...provider, client_secret_sealed } };
}
