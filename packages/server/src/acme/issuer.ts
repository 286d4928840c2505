/** Asks a certificate authority for the certificate of one domain. Never that what was published for it stays when it is over. */
import type { Client } from 'acme-client';
import { isWildcard } from '../core/hostname.ts';
import type { Settings } from '../core/settings.ts';
import { type CheckedName, describeWrongRecord, type NameCheck } from '../dns/name-check.ts';
import { challengeTarget } from '../dns/targets.ts';
import type { DocumentStore } from '../documents/index.ts';
import type { AcmeAccount, AcmeAccounts } from '../pki/acme-account.ts';
import { certificateIdentifier } from '../pki/certificate-identifier.ts';
import type { AcmeClient } from './acme-client.ts';
import type { AcmeConfig } from './acme-config.ts';
import { AcmeAccountFailure, NameFailure } from './acme-failure.ts';
import type { Challenges } from './challenges.ts';
import type { ProofTexts } from './dns-hook.ts';
import type { ManagedDomain } from './managed-domains.ts';
import { type ChallengeType, type Issued, orderCertificate, type Proof, type Wanted } from './order.ts';
import type { RenewalInfoSource } from './renewal-info.ts';

export interface IssuerOptions {
  readonly config: Pick<AcmeConfig, 'email'>;
  readonly client: AcmeClient;
  readonly accounts: AcmeAccounts;
  readonly challenges: Pick<Challenges, 'publish' | 'withdraw' | 'clear'>;
  readonly check: (domain: CheckedName) => Promise<NameCheck>;
  readonly store: Pick<DocumentStore, 'get'>;
  readonly renewals: Pick<RenewalInfoSource, 'isOffered'>;
  /** How names are proven here that are no wildcards, the best way first. */
  readonly types: readonly ChallengeType[];
  /** For wildcards; null where they cannot be proven. */
  readonly texts: ProofTexts | null;
  readonly settings: Pick<Settings, 'domain'>;
}

export class Issuer {
  readonly #options: IssuerOptions;

  constructor(options: IssuerOptions) {
    this.#options = options;
  }

  /** Rejects with AcmeFailure or NameFailure, and as the store does. */
  async issue(domain: ManagedDomain, signal: AbortSignal): Promise<Issued> {
    await this.#requireRight(domain);
    await this.#options.challenges.clear(domain);
    await this.#clearTexts(domain);
    try {
      return await this.#order(domain, signal);
    } catch (error) {
      // Once: the account was another one by then.
      if (error instanceof AcmeAccountFailure) return this.#order(domain, signal);
      throw error;
    }
  }

  /** Authorities count what fails, and soon refuse what would not. */
  async #requireRight({ id, body }: ManagedDomain): Promise<void> {
    if (isWildcard(body.domain) && this.#options.texts === null)
      throw new NameFailure('INTERNAL_ERROR', 'This service is configured with no way to prove wildcards.');
    const check = await this.#options.check({ id, ...body });
    if (check.state === 'wrong') throw new NameFailure('DNS_ERROR', describeWrongRecord(check.record));
    if (check.state === 'unknown') throw new NameFailure('INTERNAL_ERROR', check.reason);
  }

  async #order(domain: ManagedDomain, signal: AbortSignal): Promise<Issued> {
    const { client, accounts, challenges } = this.#options;
    const known = await accounts.load();
    const account = await this.#open(known, signal);
    let published: readonly string[] = [];
    const publish = async (proofs: readonly Proof[]): Promise<void> => {
      published = await challenges.publish(domain, proofs);
      await this.#addTexts(domain, proofs);
    };
    try {
      const wanted = { ...this.#wanted(domain), replaces: await this.#replaced(domain, signal) };
      return await orderCertificate({ client, account, publish, signal }, wanted);
    } catch (error) {
      if (error instanceof AcmeAccountFailure) await this.#giveUp(known, error);
      throw error;
    } finally {
      await challenges.withdraw(published);
      await this.#clearTexts(domain);
    }
  }

  async #addTexts({ id, body }: ManagedDomain, proofs: readonly Proof[]): Promise<void> {
    const { texts, settings } = this.#options;
    const name = challengeTarget(id, body.domain, settings);
    for (const { type, value } of proofs)
      if (type === 'dns-01' && name !== null) await texts?.add(name, value);
  }

  async #clearTexts({ id, body }: ManagedDomain): Promise<void> {
    const { texts, settings } = this.#options;
    const name = challengeTarget(id, body.domain, settings);
    if (name !== null) await texts?.clear(name);
  }

  /** After a failure another way to prove the name is taken, where there is one. */
  #wanted({ body, managed }: ManagedDomain): Omit<Wanted, 'replaces'> {
    const types = isWildcard(body.domain) ? (['dns-01'] as const) : this.#options.types;
    const first = (managed.job?.failure?.attempts ?? 0) % types.length;
    return {
      names: [body.domain],
      keyType: managed.private_key_type,
      challenges: [...types.slice(first), ...types.slice(0, first)],
    };
  }

  /** An authority that plans renewals is told which certificate this one is instead of: it counts less then. */
  async #replaced({ body }: ManagedDomain, signal: AbortSignal): Promise<string | null> {
    const { store, renewals } = this.#options;
    const former = body.certificate_id ? await store.get(body.certificate_id) : null;
    if (former?.kind !== 'tls_certificate' || former.body.issued_at === undefined) return null;
    return (await renewals.isOffered(signal)) ? certificateIdentifier(former.body.certificate_pem) : null;
  }

  /** The library's client of an account that the authority knows. Whoever gives its directory agrees to its terms. */
  async #open(known: AcmeAccount, signal: AbortSignal): Promise<Client> {
    const { client, accounts, config } = this.#options;
    const account = client.of(known.keyPem, known.url);
    if (known.url !== '') return account;
    const contact = config.email === null ? {} : { contact: [`mailto:${config.email}`] };
    await client.ask(signal, () => account.createAccount({ termsOfServiceAgreed: true, ...contact }));
    await accounts.keepUrl(known, account.getAccountUrl());
    return account;
  }

  /** An authority that has forgotten the key is told it again; one that refuses it is shown another. */
  async #giveUp(known: AcmeAccount, { type }: AcmeAccountFailure): Promise<void> {
    const { accounts } = this.#options;
    if (type === 'accountDoesNotExist') await accounts.keepUrl(known, '');
    else await accounts.forget(known);
  }
}
