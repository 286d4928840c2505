/** Automatic certificates, wired together: who answers certificate authorities, and who asks them. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Settings } from '../core/settings.ts';
import { checkName } from '../dns/name-check.ts';
import type { NameLookup } from '../dns/resolver.ts';
import { TextRecords } from '../dns/text-records.ts';
import type { DocumentStore } from '../documents/index.ts';
import { after } from '../events/resting.ts';
import { AcmeAccounts } from '../pki/acme-account.ts';
import type { Sealer } from '../pki/seal.ts';
import { AcmeClient } from './acme-client.ts';
import type { AcmeConfig } from './acme-config.ts';
import { Challenges } from './challenges.ts';
import { DnsHook, type ProofTexts } from './dns-hook.ts';
import { Issuer } from './issuer.ts';
import { Lease } from './lease.ts';
import { ManagedDomains } from './managed-domains.ts';
import { Provisioner } from './provisioner.ts';
import { RenewalInfoSource } from './renewal-info.ts';
import { RenewalWatch } from './renewal-watch.ts';

export interface AcmeOptions {
  readonly config: AcmeConfig;
  readonly store: DocumentStore;
  readonly sealer: Sealer;
  /** Whether other daemons may have the database as well. */
  readonly isShared: boolean;
  /** For whether a name leads here. */
  readonly lookup: NameLookup;
  readonly settings: Pick<Settings, 'domain'>;
  /** How wildcards are proven. */
  readonly dns: DnsProofs;
  /** Whether visitors of plain HTTP come here. */
  readonly takesPlainHttp: boolean;
  readonly log: Logger;
}

/** By a command of the operator's, by the zone that this daemon and others answer, or not at all. */
export type DnsProofs = { readonly hook: string } | 'zone' | null;

export interface Acme {
  readonly challenges: Challenges;
  /** Begins to ask: by now who asks back is answered. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function prepareAcme(options: AcmeOptions): Promise<Acme> {
  const { config, store, sealer, isShared, lookup, settings, dns, takesPlainHttp, log } = options;
  const now = Date.now;
  const challenges = await Challenges.start({ store, now, log });
  const client = new AcmeClient(config);
  const renewals = new RenewalInfoSource(client, config.directory);
  const domains = new ManagedDomains({ store, sealer, now });
  const issuer = new Issuer({
    ...{ config, challenges },
    ...{ client, renewals, store },
    accounts: new AcmeAccounts({ store, sealer, directory: config.directory }),
    check: (name) => checkName({ lookup, settings }, name),
    settings,
    texts: textsOf(dns, options),
    types: takesPlainHttp ? ['tls-alpn-01', 'http-01'] : ['tls-alpn-01'],
  });
  const daemon = isShared ? randomUUID() : null;
  let provisioner: Provisioner | null = null;
  let watch: RenewalWatch | null = null;
  return {
    challenges,
    async start() {
      const started = await Provisioner.start({
        ...{ store, now, after, log, domains },
        lease: new Lease({ store, daemon, uptime: () => performance.now() }),
        issue: (managed, signal) => issuer.issue(managed, signal),
        random: Math.random,
      });
      provisioner = started;
      watch = new RenewalWatch({
        ...{ store, domains, now, after, log },
        source: renewals,
        all: () => started.domains(),
        random: Math.random,
      });
    },
    async stop() {
      await watch?.stop();
      await provisioner?.stop();
      await challenges.stop();
    },
  };
}

function textsOf(dns: DnsProofs, { store, log }: AcmeOptions): ProofTexts | null {
  if (dns === null) return null;
  return dns === 'zone' ? new TextRecords(store) : new DnsHook(dns.hook, log);
}
