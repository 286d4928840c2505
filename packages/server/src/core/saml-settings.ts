/** What the service is called by SAML identity providers, and what its keys there are sealed for. */
import { createHash } from 'node:crypto';
import { idpUrl } from './service-names.ts';
import type { Settings } from './settings.ts';

/** On the name of identity providers, before the id of the resource that has the module. */
export const samlPath = '/saml/';

export interface SamlUrls {
  /** What this service is called there: where its metadata is. */
  readonly entity: string;
  /** Where users come back to. */
  readonly consumer: string;
  /** Where the provider says that a user has left. */
  readonly logout: string;
}

/** `id` is that of the resource which carries the module. */
export function samlUrls(settings: Pick<Settings, 'domain' | 'publicPort'>, id: string): SamlUrls {
  const entity = `${idpUrl(settings)}${samlPath}${id}`;
  return { entity, consumer: `${entity}/acs`, logout: `${entity}/slo` };
}

/** The key belongs to its certificate; the resource has no id yet when it is made. */
export function signingKeyContext(certificatePem: string): string {
  return `saml/${createHash('sha256').update(certificatePem).digest('hex')}`;
}
