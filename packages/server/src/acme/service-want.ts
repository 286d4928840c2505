/**
 * The certificates that the service wants for its own names. One is for `<domain>` and `*.<domain>`, because the
 * authorities' public logs would show each user's name otherwise. One is for a console outside that domain.
 */
import { type Hostname, type HostPattern, parentOf } from '../core/names/hostname.ts';
import { connectName } from '../core/service-names.ts';
import type { Settings } from '../core/settings.ts';
import { checkAlias, checkPlace, type NameCheck } from '../dns/name-check.ts';
import type { NameLookup } from '../dns/resolver.ts';
import { serviceChallengeTarget } from '../dns/targets.ts';
import type { ServiceCertificateDocument } from '../documents/index.ts';

export interface ServiceWant extends Pick<ServiceCertificateDocument, 'domain' | 'is_console'> {
  readonly names: readonly HostPattern[];
  /** The name whose TXT records are the proof; null for other challenge types. */
  readonly textName: Hostname | null;
  /** Checks the DNS of the names. */
  readonly check: () => Promise<NameCheck>;
}

export interface ServiceWantsOptions {
  readonly settings: Pick<Settings, 'domain' | 'consoleHost'>;
  /** True if the shared domain gets a certificate. */
  readonly hasDomain: boolean;
  /** The operator's files. They save the order for the console. */
  readonly filed: { certificateOf(hostname: Hostname): unknown };
  readonly lookup: NameLookup;
}

export function serviceWants({
  settings,
  hasDomain,
  filed,
  lookup,
}: ServiceWantsOptions): readonly ServiceWant[] {
  const { domain, consoleHost } = settings;
  const checked = { lookup, settings };
  const wants: ServiceWant[] = [];
  if (hasDomain) {
    const textName = serviceChallengeTarget({ domain });
    const names = [domain, `*.${domain}`] as HostPattern[];
    const check = () => checkAlias(checked, `_acme-challenge.${domain}`, textName);
    wants.push({ domain, names, textName, check });
  }
  if (consoleHost !== null && filed.certificateOf(consoleHost) === null) {
    const check = () => checkPlace(checked, consoleHost, connectName({ domain }));
    wants.push({ domain: consoleHost, is_console: true, names: [consoleHost], textName: null, check });
  }
  return wants;
}

/** Returns true if the certificate is valid for the name. A wildcard of a certificate stands for one label. */
export function isWantedFor({ names }: Pick<ServiceWant, 'names'>, hostname: Hostname): boolean {
  return names.includes(hostname) || names.includes(`*.${parentOf(hostname)}` as HostPattern);
}

/** Returns the name in log lines and metrics. */
export function labelOf({ domain, is_console }: Pick<ServiceWant, 'domain' | 'is_console'>): string {
  return is_console ? domain : `*.${domain}`;
}
