/**
 * Orders one certificate from a certificate authority.
 * Invariant: the proofs that were published for an order are removed at its end.
 */
import type { Hostname, HostPattern } from '../core/names/hostname.ts';
import { describeWrongRecord, type NameCheck } from '../dns/name-check.ts';
import type { ManagedCertificate } from '../documents/index.ts';
import type { AcmeAccount, AcmeAccounts } from '../pki/acme-account.ts';
import { certificateIdentifier } from '../pki/certificate-identifier.ts';
import type { AcmeClient } from './acme-client.ts';
import type { AcmeConfig } from './acme-config.ts';
import { AcmeAccountFailure, NameFailure } from './acme-failure.ts';
import type { Challenges } from './challenges.ts';
import type { ProofTexts } from './dns-hook.ts';
import { type ChallengeType, type Issued, orderCertificate, type Proof, type Wanted } from './order.ts';
import type { OrderedFor, OrderMemory } from './order-memory.ts';
import type { OrderShare } from './order-share.ts';
import type { RenewalInfoSource } from './renewal-info.ts';

export interface IssuerOptions {
  readonly config: Pick<AcmeConfig, 'email'>;
  readonly client: AcmeClient;
  readonly accounts: AcmeAccounts;
  readonly challenges: Pick<Challenges, 'publish' | 'withdraw' | 'clear'>;
  readonly renewals: Pick<RenewalInfoSource, 'isOffered'>;
  readonly share: Pick<OrderShare, 'take'>;
  readonly memory: Pick<OrderMemory, 'load' | 'keep' | 'forget'>;
  /** Challenge types for names that are no wildcards, the preferred first. */
  readonly types: readonly ChallengeType[];
  /** The TXT records that prove wildcards; null if they cannot be proven. */
  readonly texts: ProofTexts | null;
}

/** Describes a wanted certificate. */
export interface Subject {
  /** The id of the document that wants it. */
  readonly id: string;
  readonly account: string;
  readonly names: readonly HostPattern[];
  readonly managed: ManagedCertificate;
  /** Checks the DNS of the names. */
  readonly check: () => Promise<NameCheck>;
  /** The name whose TXT records are the proof; null for other challenge types. */
  readonly textName: Hostname | null;
  /** The previous certificate, in PEM; null for none. */
  readonly formerChain: string | null;
}

export class Issuer {
  readonly #options: IssuerOptions;
  /** Settles when the last registration has ended. */
  #registration: Promise<unknown> = Promise.resolve();

  constructor(options: IssuerOptions) {
    this.#options = options;
  }

  /**
   * Orders a certificate. Until `done`, repeated calls return the same one, so that an unsaved result is not lost.
   * Rejects with AcmeFailure, NameFailure or ShareFailure, and with errors of the store.
   */
  async issue(subject: Subject, signal: AbortSignal): Promise<Issued> {
    await this.#requireRight(subject);
    await this.#options.challenges.clear(subject);
    await this.#clearTexts(subject);
    try {
      return await this.#order(subject, signal);
    } catch (error) {
      // Retried once, because the account has been replaced.
      if (error instanceof AcmeAccountFailure) return this.#order(subject, signal);
      throw error;
    }
  }

  /** Reports that the result is stored, or no longer wanted. Rejects with errors of the store. */
  done(subject: OrderedFor): Promise<void> {
    return this.#options.memory.forget(subject);
  }

  /** Checks the DNS first. Authorities count failures, and soon refuse valid orders. */
  async #requireRight({ textName, check }: Subject): Promise<void> {
    if (textName !== null && this.#options.texts === null)
      throw new NameFailure(
        'INTERNAL_ERROR',
        'This service is configured with no way to prove names in DNS.',
      );
    const checked = await check();
    if (checked.state === 'wrong') throw new NameFailure('DNS_ERROR', describeWrongRecord(checked.record));
    if (checked.state === 'unknown') throw new NameFailure('INTERNAL_ERROR', checked.reason);
  }

  async #order(subject: Subject, signal: AbortSignal): Promise<Issued> {
    const { client, challenges, share, memory } = this.#options;
    const known = await this.#registered(signal);
    const account = client.of(known.keyPem, known.url);
    let published: readonly string[] = [];
    const publish = async (proofs: readonly Proof[]): Promise<void> => {
      published = await challenges.publish(subject, proofs);
      await this.#addTexts(subject, proofs, signal);
    };
    try {
      const wanted = { ...this.#wanted(subject), replaces: await this.#replaced(subject, signal) };
      return await orderCertificate(
        {
          ...{ client, account, publish, signal },
          known: await memory.load(subject),
          admit: () => share.take(subject.account, subject.managed),
          keep: (order) => memory.keep(subject, order),
          forget: () => memory.forget(subject),
        },
        wanted,
      );
    } catch (error) {
      if (error instanceof AcmeAccountFailure) await this.#giveUp(known, error);
      throw error;
    } finally {
      await challenges.withdraw(published);
      await this.#clearTexts(subject);
    }
  }

  async #addTexts({ textName }: Subject, proofs: readonly Proof[], signal: AbortSignal): Promise<void> {
    for (const { type, value } of proofs)
      if (type === 'dns-01' && textName !== null) await this.#options.texts?.add(textName, value, signal);
  }

  async #clearTexts({ textName }: Subject): Promise<void> {
    if (textName !== null) await this.#options.texts?.clear(textName);
  }

  /** Chooses the challenge types. After a failure it uses another one, if there is one. */
  #wanted({ names, textName, managed }: Subject): Omit<Wanted, 'replaces'> {
    const types = textName === null ? this.#options.types : (['dns-01'] as const);
    const first = (managed.job?.failure?.attempts ?? 0) % types.length;
    return {
      names,
      keyType: managed.private_key_type,
      challenges: [...types.slice(first), ...types.slice(0, first)],
    };
  }

  /**
   * Returns the identifier of the certificate to replace, for an authority that plans renewals. Such an order counts
   * less there.
   */
  async #replaced({ formerChain }: Subject, signal: AbortSignal): Promise<string | null> {
    if (formerChain === null || !(await this.#options.renewals.isOffered(signal))) return null;
    return certificateIdentifier(formerChain);
  }

  /** Returns the registered account. Invariant: this daemon creates one account at a time. */
  async #registered(signal: AbortSignal): Promise<AcmeAccount> {
    const known = await this.#options.accounts.load();
    if (known.url !== '') return known;
    const registered = this.#registration.then(() => this.#register(signal));
    this.#registration = registered.catch(() => {});
    return registered;
  }

  /**
   * Reads the account again first, because another order may have registered it. The operator agreed to the terms by
   * giving the directory.
   */
  async #register(signal: AbortSignal): Promise<AcmeAccount> {
    const { client, accounts, config } = this.#options;
    const known = await accounts.load();
    if (known.url !== '') return known;
    const account = client.of(known.keyPem, '');
    const contact = config.email === null ? {} : { contact: [`mailto:${config.email}`] };
    await client.ask(signal, () => account.createAccount({ termsOfServiceAgreed: true, ...contact }));
    const url = account.getAccountUrl();
    await accounts.keepUrl(known, url);
    return { ...known, url };
  }

  /**
   * Forgets an account that the authority does not accept. Its key is registered again if the authority forgot it, and
   * replaced if the authority refuses it.
   */
  async #giveUp(known: AcmeAccount, { type }: AcmeAccountFailure): Promise<void> {
    const { accounts } = this.#options;
    if (type === 'accountDoesNotExist') await accounts.keepUrl(known, '');
    else await accounts.forget(known);
  }
}
