/** Wires automatic certificates together: the proofs that authorities request, and the orders. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { NameLookup } from '../dns/resolver.ts';
import { TextRecords } from '../dns/text-records.ts';
import type { DocumentStore } from '../documents/index.ts';
import { WorkLease } from '../documents/work-lease.ts';
import { after } from '../events/resting.ts';
import { AcmeAccounts } from '../pki/acme-account.ts';
import type { Sealer } from '../pki/seal.ts';
import type { Audit } from '../resources/engine/audit.ts';
import { failureLog } from '../store/outage-log.ts';
import { AcmeClient } from './acme-client.ts';
import type { AcmeConfig } from './acme-config.ts';
import { Challenges } from './challenges.ts';
import { DnsHook, type ProofTexts } from './dns-hook.ts';
import { domainSubject } from './domain-subject.ts';
import { Issuer } from './issuer.ts';
import { OrderLease, type OrderLeaseOptions } from './lease.ts';
import { ManagedDomains, managedDomain } from './managed-domains.ts';
import { OrderMemory } from './order-memory.ts';
import { OrderShare } from './order-share.ts';
import { clearOrphanedTexts } from './orphaned-texts.ts';
import { Provisioner } from './provisioner.ts';
import { RememberedTexts } from './remembered-texts.ts';
import { RenewalInfoSource } from './renewal-info.ts';
import { LOOK_MS, RenewalWatch } from './renewal-watch.ts';
import { ServiceNames } from './service-names.ts';
import { type ServiceWantsOptions, serviceWants } from './service-want.ts';

export interface AcmeOptions {
  readonly config: AcmeConfig;
  readonly store: DocumentStore;
  readonly sealer: Sealer;
  /** Reports certificates that are created and deleted. */
  readonly audit: Pick<Audit, 'about'>;
  /** True if other daemons may use the database as well. */
  readonly isShared: boolean;
  /** Checks that a name leads here. */
  readonly lookup: NameLookup;
  readonly settings: ServiceWantsOptions['settings'];
  /** The operator's certificate files. */
  readonly filed: ServiceWantsOptions['filed'];
  /** The way in which wildcards are proven. */
  readonly dns: DnsProofs;
  /** True if visitors of plain HTTP come here. */
  readonly takesPlainHttp: boolean;
  /** Called after another certificate of the service's own names is served. */
  readonly serviceChanged: () => void;
  readonly log: Logger;
}

/** TXT records are published by the operator's command, by the zone that the daemons serve, or not at all. */
export type DnsProofs = { readonly hook: string } | 'zone' | null;

export interface Acme {
  readonly challenges: Challenges;
  /** Null if the service's own names get no certificate. */
  readonly serviceNames: ServiceNames | null;
  /** Starts to send orders. Validation requests are served by now. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function prepareAcme(options: AcmeOptions): Promise<Acme> {
  const { config, store, sealer, audit, lookup, settings, dns, takesPlainHttp, log } = options;
  const challenges = await Challenges.start({ store, now: Date.now, log });
  const { filed, serviceChanged: changed } = options;
  const wants = serviceWants({ settings, hasDomain: config.serviceNames, filed, lookup });
  const serviceNames =
    wants.length > 0
      ? await ServiceNames.start({ ...{ config, store, sealer, log, wants, changed }, now: Date.now })
      : null;
  const client = new AcmeClient(config);
  const renewals = new RenewalInfoSource(client, config.directory);
  const texts = textsOf(dns, options);
  const issuer = new Issuer({
    ...{ config, challenges, client, renewals },
    memory: new OrderMemory({ store, sealer, directory: config.directory, now: Date.now }),
    share: new OrderShare({ store, perHour: config.ordersPerHour, now: Date.now }),
    accounts: new AcmeAccounts({ store, sealer, directory: config.directory }),
    types: takesPlainHttp ? ['tls-alpn-01', 'http-01'] : ['tls-alpn-01'],
    texts,
  });
  const parts = { store, lookup, settings };
  const stops: (() => Promise<void>)[] = [];
  return {
    challenges,
    serviceNames,
    async start() {
      const keeper = new ManagedDomains({ store, sealer, audit, now: Date.now });
      const domains = await Provisioner.start({
        ...{ ...shared(options, 'domains'), keeper, kind: 'reserved_domain', read: managedDomain },
        issue: async (domain, signal) => issuer.issue(await domainSubject(parts, domain), signal),
        done: (domain) => issuer.done(domain),
      });
      const clocks = { now: Date.now, after, random: Math.random };
      const all = () => domains.subjects();
      const lease = new WorkLease({ ...sharer(options), store, work: 'renewal_info', everyMs: LOOK_MS });
      const watch = new RenewalWatch({
        ...clocks,
        store,
        domains: keeper,
        source: renewals,
        all,
        lease,
        log,
      });
      stops.push(
        () => watch.stop(),
        () => domains.stop(),
      );
      const onError = failureLog(log, 'TXT records of domains that are gone could not be taken away');
      const stopped = new AbortController();
      stops.push(async () => stopped.abort());
      const { signal } = stopped;
      if (texts !== null) void clearOrphanedTexts({ store, texts, settings, signal }).catch(onError);
      if (serviceNames === null) return;
      const service = await Provisioner.start({
        ...{ ...shared(options, 'service'), keeper: serviceNames, kind: 'service_certificate' },
        read: (document) => serviceNames.wanted(document),
        issue: (subject, signal) => issuer.issue(serviceNames.subject(subject), signal),
        done: (subject) => issuer.done(subject),
      });
      stops.push(() => service.stop());
    },
    async stop() {
      for (const stop of stops) await stop();
      await serviceNames?.stop();
      await challenges.stop();
    },
  };
}

function shared({ store, isShared, log }: AcmeOptions, purpose: OrderLeaseOptions['purpose']) {
  const lease = new OrderLease({ ...sharer({ isShared }), store, purpose });
  return { store, lease, log, after, now: Date.now, random: Math.random };
}

/** Identifies this process among the daemons that could do some work for all. */
function sharer({ isShared }: Pick<AcmeOptions, 'isShared'>) {
  return { daemon: isShared ? randomUUID() : null, uptime: () => performance.now() };
}

function textsOf(dns: DnsProofs, { store, lookup, log }: AcmeOptions): ProofTexts | null {
  if (dns === null) return null;
  const records = new TextRecords(store);
  return dns === 'zone'
    ? records
    : new RememberedTexts(new DnsHook({ command: dns.hook, lookup, log }), records);
}
