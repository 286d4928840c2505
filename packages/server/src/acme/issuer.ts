/** Asks a certificate authority for one certificate. Never that what was published for it stays when it is over. */
import type { Hostname, HostPattern } from '../core/hostname.ts';
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
  /** How names are proven here that are no wildcards, the best way first. */
  readonly types: readonly ChallengeType[];
  /** For wildcards; null where they cannot be proven. */
  readonly texts: ProofTexts | null;
}

/** What a certificate is asked for. */
export interface Subject {
  /** The document that wants it. */
  readonly id: string;
  readonly account: string;
  readonly names: readonly HostPattern[];
  readonly managed: ManagedCertificate;
  /** Whether the DNS of the names is right. */
  readonly check: () => Promise<NameCheck>;
  /** Where TXT records prove it; null where something else does. */
  readonly textName: Hostname | null;
  /** The one that was issued before, in PEM; null for none. */
  readonly formerChain: string | null;
}

export class Issuer {
  readonly #options: IssuerOptions;
  /** Settles when the last registration that began is over. */
  #registration: Promise<unknown> = Promise.resolve();

  constructor(options: IssuerOptions) {
    this.#options = options;
  }

  /** Until `done` the same is answered again, so that nothing is lost which was not stored. Rejects with AcmeFailure, NameFailure or ShareFailure, and as the store does. */
  async issue(subject: Subject, signal: AbortSignal): Promise<Issued> {
    await this.#requireRight(subject);
    await this.#options.challenges.clear(subject);
    await this.#clearTexts(subject);
    try {
      return await this.#order(subject, signal);
    } catch (error) {
      // Once: the account was another one by then.
      if (error instanceof AcmeAccountFailure) return this.#order(subject, signal);
      throw error;
    }
  }

  /** What was issued is stored, or of no use. Rejects as the store does. */
  done(subject: OrderedFor): Promise<void> {
    return this.#options.memory.forget(subject);
  }

  /** Authorities count what fails, and soon refuse what would not. */
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

  /** After a failure another way to prove the name is taken, where there is one. */
  #wanted({ names, textName, managed }: Subject): Omit<Wanted, 'replaces'> {
    const types = textName === null ? this.#options.types : (['dns-01'] as const);
    const first = (managed.job?.failure?.attempts ?? 0) % types.length;
    return {
      names,
      keyType: managed.private_key_type,
      challenges: [...types.slice(first), ...types.slice(0, first)],
    };
  }

  /** An authority that plans renewals is told which certificate this one is instead of: it counts less then. */
  async #replaced({ formerChain }: Subject, signal: AbortSignal): Promise<string | null> {
    if (formerChain === null || !(await this.#options.renewals.isOffered(signal))) return null;
    return certificateIdentifier(formerChain);
  }

  /** The account, once the authority knows it. Invariant: this daemon creates one account at a time. */
  async #registered(signal: AbortSignal): Promise<AcmeAccount> {
    const known = await this.#options.accounts.load();
    if (known.url !== '') return known;
    const registered = this.#registration.then(() => this.#register(signal));
    this.#registration = registered.catch(() => {});
    return registered;
  }

  /** Reads the account again first: another order may have registered it. The operator agreed to the terms by giving the directory. */
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

  /** An authority that has forgotten the key is told it again; one that refuses it is shown another. */
  async #giveUp(known: AcmeAccount, { type }: AcmeAccountFailure): Promise<void> {
    const { accounts } = this.#options;
    if (type === 'accountDoesNotExist') await accounts.keepUrl(known, '');
    else await accounts.forget(known);
  }
}
