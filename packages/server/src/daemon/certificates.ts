/** The certificates of a daemon: the operator's files, the local authority, ACME, and those that accounts upload. */
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { Acme, AcmeOptions } from '../acme/acme.ts';
import type { Config } from '../command/config.ts';
import type { Hostname } from '../core/names/hostname.ts';
import { apiNames, connectName } from '../core/service-names.ts';
import type { CertificateExpiry } from '../pki/certificate-expiry.ts';
import { DomainCertificates } from '../pki/domain-certificates.ts';
import { LocalAuthority } from '../pki/local-authority.ts';
import { LocalCertificates } from '../pki/local-certificates.ts';
import { fingerprintOf, pinOf } from '../pki/pinned-authority.ts';
import { ServiceCertificates } from '../pki/service-certificates.ts';
import { ensureFile } from '../system/files.ts';
import type { Deciding } from './deciding.ts';
import type { Foundation, Start } from './foundation.ts';

export interface Certificates {
  readonly domains: DomainCertificates;
  /** Null if certificates are not ordered. */
  readonly acme: Acme | null;
  /** The file with the authorities that agents and clients on this machine trust. */
  readonly caFile: string;
  expiries(): Iterable<CertificateExpiry>;
}

/** Reads the operator's certificate files for the service's own names. */
export function loadServiceCertificates({ config, log }: Start): Promise<ServiceCertificates> {
  const { settings, certificateFiles: files } = config;
  const { consoleHost } = settings;
  const ofConsole = consoleHost === null ? [] : [consoleHost];
  const names = [...new Set([...apiNames(settings), connectName(settings), ...ofConsole])];
  return ServiceCertificates.load({ files, shared: settings.domain, names, now: Date.now, log });
}

/** Opens the local CA of the database, which the first start makes. */
export function loadLocalAuthority({ config, store, sealer }: Foundation): Promise<LocalAuthority> {
  const name = `Underpass ${config.settings.domain}`;
  return LocalAuthority.load({ store, sealer, now: Date.now, name });
}

export async function startCertificates(
  foundation: Foundation,
  service: ServiceCertificates,
  { audit, lookup, joining }: Pick<Deciding, 'audit' | 'lookup' | 'joining'>,
): Promise<Certificates> {
  const { config, store, sealer, isShared, log, parts } = foundation;
  const { domain, dataDir } = config.settings;
  const now = Date.now;
  const apiHost = new URL(config.settings.baseUrl).hostname as Hostname;
  const authority = await loadLocalAuthority(foundation);
  const caFile = join(dataDir, 'ca.pem');
  let acme: Acme | null = null;
  const publish = async () => {
    const ordered = [connectName(config.settings), apiHost].flatMap(
      (name) => acme?.serviceNames?.roots(name) ?? [],
    );
    const roots = [...service.roots(), ...ordered];
    await ensureFile(caFile, [...new Set([authority.certificatePem, ...roots])].join('\n'), 0o644);
    const issuers = { service, acme, authority };
    const own = isOwn(apiHost, issuers) ? authority : null;
    await joining.publish(
      pinFor(connectName(config.settings), issuers),
      own && { pem: own.certificatePem, fingerprint: fingerprintOf(new X509Certificate(own.certificatePem)) },
    );
  };
  await parts.start({ start: () => service.watch(publish), stop: (stop) => stop() });
  const serviceChanged = (): void => {
    // The certificates of the start are published below, once.
    if (acme === null) return;
    publish().catch((error: unknown) => log.error({ err: error }, 'ca.pem cannot be brought up to date'));
  };
  acme = await parts.start({
    start: () =>
      prepareAcme(config, {
        ...{ store, sealer, audit, lookup, isShared, filed: service, serviceChanged, log },
      }),
    stop: (it) => it?.stop(),
  });
  await publish();
  const serviceNames = acme?.serviceNames ?? null;
  const domains = await parts.start({
    start: () =>
      DomainCertificates.start({
        ...{ store, sealer, shared: domain, log },
        service: {
          certificateOf: (name) => service.certificateOf(name) ?? serviceNames?.certificateOf(name) ?? null,
        },
        local: new LocalCertificates({ authority, authorityPem: authority.certificatePem, now }),
      }),
    stop: (it) => it.stop(),
  });
  const expiries = function* () {
    yield authority.expiry;
    yield* service.expiries();
    yield* serviceNames?.expiries() ?? [];
    yield* domains.expiries();
  };
  return { domains, acme, caFile, expiries };
}

interface Issuers {
  readonly service: ServiceCertificates;
  readonly acme: Acme | null;
  readonly authority: LocalAuthority;
}

/** Returns the fingerprint of the authority of a name of the service; null if agents need none. */
function pinFor(name: Hostname, { service, acme, authority }: Issuers): string | null {
  const names = acme?.serviceNames ?? null;
  const served = service.certificateOf(name) ?? names?.certificateOf(name) ?? null;
  if (served !== null) return pinOf(served);
  // A certificate is being ordered.
  if (names?.isWanted(name)) return null;
  return fingerprintOf(new X509Certificate(authority.certificatePem));
}

/** Returns true if the service's own authority signs the certificate of a name. */
function isOwn(name: Hostname, { service, acme }: Issuers): boolean {
  // An ordered certificate comes soon, so browsers do not need this authority.
  return service.certificateOf(name) === null && !acme?.serviceNames?.isWanted(name);
}

/** Returns null if no certificates are ordered. The code for it is not loaded then. */
async function prepareAcme(
  { acme: config, dnsListen, settings }: Config,
  parts: Omit<AcmeOptions, 'config' | 'settings' | 'dns' | 'takesPlainHttp'>,
): Promise<Acme | null> {
  if (config === null) return null;
  const { prepareAcme: prepare } = await import('../acme/acme.ts');
  const ownZone = dnsListen === null ? null : 'zone';
  const dns = config.dnsHook === null ? ownZone : { hook: config.dnsHook };
  return prepare({ ...parts, config, settings, dns, takesPlainHttp: settings.httpListen !== null });
}
