/** The service's names at SAML identity providers, and the sealing context of its keys. */
import { createHash } from 'node:crypto';
import { idpUrl } from './service-names.ts';
import type { Settings } from './settings.ts';

/** The path before the id of the resource with the module, on the name for identity providers. */
export const samlPath = '/saml/';

export interface SamlUrls {
  /** The entity id, which is the URL of the metadata. */
  readonly entity: string;
  /** The URL to which users return after a login. */
  readonly consumer: string;
  /** The URL for logout messages of the provider. */
  readonly logout: string;
}

/** `id` is the id of the resource with the module. */
export function samlUrls(settings: Pick<Settings, 'domain' | 'publicPort'>, id: string): SamlUrls {
  const entity = `${idpUrl(settings)}${samlPath}${id}`;
  return { entity, consumer: `${entity}/acs`, logout: `${entity}/slo` };
}

/** Returns the sealing context of the key. It names the certificate, because a new resource has no id yet. */
export function signingKeyContext(certificatePem: string): string {
  return `saml/${createHash('sha256').update(certificatePem).digest('hex')}`;
}
