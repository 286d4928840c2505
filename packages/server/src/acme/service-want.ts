/**
 * The certificates that the service wants for its own names. One is for `<domain>` and `*.<domain>`, because the
 * authorities' public logs would show each user's name otherwise. Each host outside that domain has one, too: the host
 * of the public URL, and that of the console.
 */
import { type Hostname, type HostPattern, parentOf } from '../core/names/hostname.ts';
import { connectName, hostsOutside } from '../core/service-names.ts';
import type { Settings } from '../core/settings.ts';
import { checkAlias, checkPlace, type NameCheck } from '../dns/name-check.ts';
import type { NameLookup } from '../dns/resolver.ts';
import { serviceChallengeTarget } from '../dns/targets.ts';
import type { ServiceCertificateDocument } from '../documents/index.ts';

export interface ServiceWant extends Pick<ServiceCertificateDocument, 'domain' | 'is_single'> {
  readonly names: readonly HostPattern[];
  /** The name whose TXT records are the proof; null for other challenge types. */
  readonly textName: Hostname | null;
  /** Checks the DNS of the names. */
  readonly check: () => Promise<NameCheck>;
}

export interface ServiceWantsOptions {
  readonly settings: Pick<Settings, 'domain' | 'baseUrl' | 'consoleHost'>;
  /** True if the shared domain gets a certificate. */
  readonly hasDomain: boolean;
  /** The operator's files. They save the order for a host. */
  readonly filed: { certificateOf(hostname: Hostname): unknown };
  readonly lookup: NameLookup;
}

export function serviceWants({
  settings,
  hasDomain,
  filed,
  lookup,
}: ServiceWantsOptions): readonly ServiceWant[] {
  const { domain } = settings;
  const checked = { lookup, settings };
  const wants: ServiceWant[] = [];
  if (hasDomain) {
    const textName = serviceChallengeTarget({ domain });
    const names = [domain, `*.${domain}`] as HostPattern[];
    const check = () => checkAlias(checked, `_acme-challenge.${domain}`, textName);
    wants.push({ domain, names, textName, check });
  }
  for (const host of hostsOutside(settings)) {
    if (filed.certificateOf(host) !== null) continue;
    const check = () => checkPlace(checked, host, connectName({ domain }));
    wants.push({ domain: host, is_single: true, names: [host], textName: null, check });
  }
  return wants;
}

/** Returns true if the certificate is valid for the name. A wildcard of a certificate stands for one label. */
export function isWantedFor({ names }: Pick<ServiceWant, 'names'>, hostname: Hostname): boolean {
  return names.includes(hostname) || names.includes(`*.${parentOf(hostname)}` as HostPattern);
}

/** Returns the name in log lines and metrics. */
export function labelOf({ domain, is_single }: Pick<ServiceWant, 'domain' | 'is_single'>): string {
  return is_single ? domain : `*.${domain}`;
}
