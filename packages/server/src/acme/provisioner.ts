/**
 * Obtains and renews certificates for subjects that want one.
 * Invariant: usually only one daemon orders, and only after the name's DNS was checked.
 * Invariant: a restart forgets no failure.
 */
import type { Logger } from 'pino';
import type {
  Change,
  DocumentFeed,
  KindName,
  ManagedCertificate,
  StoredDocument,
} from '../documents/index.ts';
import { followDocuments } from '../documents/store.ts';
import type { After } from '../events/resting.ts';
import { RENEWAL_MS } from '../store/lease.ts';
import { failureLog, isOutage } from '../store/outage-log.ts';
import { ConflictError } from '../store/store.ts';
import { AcmeFailure, NameFailure, ShareFailure } from './acme-failure.ts';
import type { OrderLease } from './lease.ts';
import type { Issued } from './order.ts';
import { afterFailure, dueAt, type Failure, type Lifetime, renewalOf } from './schedule.ts';

/** A subject that wants a certificate. */
export interface Provisioned {
  readonly id: string;
  readonly account: string;
  /** The name in log lines. */
  readonly label: string;
  readonly managed: ManagedCertificate;
}

/** Stores the state of a subject. Both methods do nothing if the certificate is no longer wanted. */
export interface Keeper<Subject> {
  keep(subject: Subject, change: (managed: ManagedCertificate) => ManagedCertificate): Promise<void>;
  /** Serves the certificate from now on. Rejects with AcmeFailure if it cannot be served. */
  serve(subject: Subject, issued: Issued, renewal: (lifetime: Lifetime) => number): Promise<void>;
}

export interface ProvisionerOptions<Kind extends KindName, Subject extends Provisioned> {
  readonly store: DocumentFeed;
  readonly kind: Kind;
  /** Returns null for a document that wants no certificate. */
  readonly read: (document: StoredDocument<Kind>) => Subject | null;
  readonly keeper: Keeper<Subject>;
  readonly lease: Pick<OrderLease, 'take' | 'keep' | 'release'>;
  /** Rejects with AcmeFailure, NameFailure or ShareFailure. */
  readonly issue: (subject: Subject, signal: AbortSignal) => Promise<Issued>;
  /** Reports that the result of `issue` is stored, or not wanted. Until then `issue` returns it again. */
  readonly done: (subject: Subject) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly after: After;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

interface Attempt {
  readonly subject: Provisioned;
  readonly aborted: AbortController;
  readonly done: Promise<void>;
}

/** Milliseconds of an attempt at most. */
const ATTEMPT_MS = 3 * 60_000;
/** Attempts at a time. */
const MOST_AT_ONCE = 16;
/** Attempts beside the first one of each account, over all accounts. So one account alone has four at a time. */
const MOST_FURTHER = 3;
/** Milliseconds of a pause at most, because clocks jump and machines sleep. */
const LONGEST_REST_MS = 60 * 60_000;
/** Milliseconds until the next attempt while the store is unavailable. */
const STORE_RETRY_MS = 5_000;
/** Error types of the authority that the owner of the name must correct. */
const dnsTypes = ['dns', 'caa'];

export class Provisioner<Kind extends KindName, Subject extends Provisioned> {
  readonly #options: ProvisionerOptions<Kind, Subject>;
  readonly #subjects = new Map<string, Subject>();
  readonly #attempts = new Map<string, Attempt>();
  /** Cancels the next check. */
  #cancel: () => void = () => {};
  #cancelBeat: () => void = () => {};
  #looking: Promise<void> = Promise.resolve();
  #isLooking = false;
  #stopped = false;
  #following: { stop(): Promise<void> } | null = null;

  private constructor(options: ProvisionerOptions<Kind, Subject>) {
    this.#options = options;
  }

  static async start<Kind extends KindName, Subject extends Provisioned>(
    options: ProvisionerOptions<Kind, Subject>,
  ): Promise<Provisioner<Kind, Subject>> {
    const provisioner = new Provisioner(options);
    const onError = failureLog(options.log, 'following what is to have certificates failed');
    provisioner.#following = await followDocuments(options.store, [options.kind], provisioner, {
      onError,
    });
    return provisioner;
  }

  /** Subjects that want certificates. */
  subjects(): Iterable<Subject> {
    return this.#subjects.values();
  }

  /** Ends running attempts. Another daemon, or the next start, continues them. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#following?.stop();
    await this.#looking;
    for (const { aborted } of this.#attempts.values()) aborted.abort();
    await Promise.all(Array.from(this.#attempts.values(), ({ done }) => done));
    this.#cancelBeat();
    await this.#options.lease.release().catch(() => {});
  }

  /** Called by `follow`. */
  reset(documents: readonly StoredDocument<Kind>[]): void {
    const present = new Set(documents.map(({ id }) => id));
    for (const id of this.#subjects.keys()) if (!present.has(id)) this.#put(id, null);
    for (const document of documents) this.#put(document.id, this.#options.read(document));
    this.#restUntilDue();
  }

  /** Called by `follow`. */
  apply(changes: readonly Change<Kind>[]): void {
    for (const { id, document } of changes) this.#put(id, document && this.#options.read(document));
    this.#restUntilDue();
  }

  #put(id: string, subject: Subject | null): void {
    if (subject === null) this.#subjects.delete(id);
    else this.#subjects.set(id, subject);
    const attempt = this.#attempts.get(id);
    if (attempt !== undefined && !isSameRequest(attempt.subject, subject)) attempt.aborted.abort();
  }

  #restUntilDue(): void {
    let due = Number.POSITIVE_INFINITY;
    for (const { id, managed } of this.#subjects.values())
      if (!this.#attempts.has(id)) due = Math.min(due, dueAt(managed));
    if (due < Number.POSITIVE_INFINITY) this.#lookAfter(due - this.#options.now());
  }

  #lookAfter(ms: number): void {
    this.#cancel();
    if (this.#stopped) return;
    const restMs = Math.min(Math.max(ms, 0), LONGEST_REST_MS);
    this.#cancel = this.#options.after(restMs, () => this.#look());
  }

  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#looking = this.#begin()
      .catch((error: unknown) => {
        this.#failed(error);
        return STORE_RETRY_MS;
      })
      .then((restMs) => {
        this.#isLooking = false;
        this.#lookAgain(restMs);
      });
  }

  /** Schedules the next check after `restMs`; null if it is when a subject is due. */
  #lookAgain(restMs: number | null): void {
    if (restMs === null) this.#restUntilDue();
    else this.#lookAfter(restMs);
  }

  /** Returns milliseconds until the next check; null if it is when a subject is due. */
  async #begin(): Promise<number | null> {
    const due = this.#due();
    if (due.length === 0) return null;
    const leftMs = await this.#options.lease.take();
    if (leftMs > 0) return leftMs;
    if (this.#stopped) return null;
    for (const subject of due) if (this.#hasRoomFor(subject)) this.#attempt(subject);
    this.#beat();
    // The next subject starts when a running attempt ends.
    return due.every(({ id }) => this.#attempts.has(id)) ? null : LONGEST_REST_MS;
  }

  #hasRoomFor({ account }: Subject): boolean {
    const { size } = this.#attempts;
    const accounts = new Set(Array.from(this.#attempts.values(), ({ subject }) => subject.account));
    return size < MOST_AT_ONCE && (!accounts.has(account) || size - accounts.size < MOST_FURTHER);
  }

  /** Returns due subjects, the longest waiting first. */
  #due(): Subject[] {
    const now = this.#options.now();
    return [...this.#subjects.values()]
      .filter(({ id, managed }) => dueAt(managed) <= now && !this.#attempts.has(id))
      .sort((one, other) => dueAt(one.managed) - dueAt(other.managed));
  }

  #attempt(subject: Subject): void {
    const aborted = new AbortController();
    const done = this.#run(subject, aborted.signal)
      .catch((error: unknown) => {
        this.#failed(error);
        return STORE_RETRY_MS;
      })
      .then((restMs) => {
        this.#attempts.delete(subject.id);
        if (this.#attempts.size === 0) this.#rest();
        this.#lookAgain(restMs);
      });
    this.#attempts.set(subject.id, { subject, aborted, done });
  }

  /**
   * Returns milliseconds until the next check; null if it is when a subject is due. Rejects if the result could not be
   * stored.
   */
  async #run(subject: Subject, aborted: AbortSignal): Promise<number | null> {
    const { keeper, issue, now, random, log } = this.#options;
    const asked = await this.#begun(subject);
    log.info({ name: subject.label }, 'ordering a certificate');
    const signal = AbortSignal.any([aborted, AbortSignal.timeout(ATTEMPT_MS)]);
    try {
      const issued = await issue(asked, signal);
      // Another daemon orders, or the certificate is no longer wanted.
      if (aborted.aborted) return null;
      await this.#serve(asked, issued);
      log.info({ name: subject.label }, 'a certificate was issued');
    } catch (error) {
      if (aborted.aborted) return null;
      if (isOutage(error)) throw error;
      // The subject was deleted, which this process is about to see. There is no failure to report.
      if (error instanceof ConflictError && error.conflict.reason === 'parent-missing') return STORE_RETRY_MS;
      const failure = this.#failureOf(error, signal);
      await keeper.keep(subject, (managed) => afterFailure(managed, failure, now(), random()));
      const what = failure.isLasting
        ? 'no certificate was issued, and the authority will refuse the same again: change what it names'
        : 'no certificate was issued';
      log.warn({ name: subject.label, reason: failure.msg }, what);
    }
    return null;
  }

  async #serve(subject: Subject, issued: Issued): Promise<void> {
    const { keeper, done, now, random } = this.#options;
    try {
      await keeper.serve(subject, issued, (lifetime) => renewalOf(lifetime, now(), random()));
    } catch (error) {
      if (error instanceof AcmeFailure) await done(subject);
      throw error;
    }
    await done(subject);
  }

  /** Marks a renewal as a job from its first attempt on. */
  async #begun(subject: Subject): Promise<Subject> {
    if (subject.managed.job !== null) return subject;
    const job = { started_at: this.#options.now(), failure: null };
    await this.#options.keeper.keep(subject, (managed) => ({ ...managed, job }));
    return { ...subject, managed: { ...subject.managed, job } };
  }

  #failureOf(error: unknown, { aborted }: AbortSignal): Failure {
    if (error instanceof NameFailure)
      return { code: error.code, msg: error.message, wasAsked: false, retryAfterMs: 0 };
    const code = 'INTERNAL_ERROR';
    if (error instanceof ShareFailure)
      return { code, msg: error.message, wasAsked: false, retryAfterMs: error.retryAfterMs };
    const asked = { wasAsked: true, retryAfterMs: 0 };
    if (aborted) return { code, msg: 'The certificate authority took too long.', ...asked };
    if (error instanceof AcmeFailure) {
      const { type, message: msg, retryAfterMs, isLasting } = error;
      return {
        code: dnsTypes.includes(type) ? 'DNS_ERROR' : code,
        msg,
        wasAsked: true,
        isLasting,
        retryAfterMs,
      };
    }
    this.#failed(error);
    return { code, msg: 'The service could not order the certificate.', ...asked };
  }

  /** Renews the lease while this daemon orders. */
  #beat(): void {
    this.#cancelBeat();
    this.#cancelBeat = this.#options.after(RENEWAL_MS, () => void this.#keepLease());
  }

  async #keepLease(): Promise<void> {
    // While the store is unavailable, no other daemon can take it.
    const isKept = await this.#options.lease.keep().catch(() => true);
    if (!isKept) for (const { aborted } of this.#attempts.values()) aborted.abort();
    if (this.#attempts.size > 0) this.#beat();
  }

  #rest(): void {
    this.#cancelBeat();
    if (this.#due().length === 0)
      this.#options.lease.release().catch((error: unknown) => this.#failed(error));
  }

  #failed(error: unknown): void {
    if (!isOutage(error)) this.#options.log.error({ err: error }, 'certificates cannot be ordered');
  }
}

/** Returns true if the wanted certificate is still the same. */
export function isSameRequest(
  one: Pick<Provisioned, 'managed'>,
  other: Pick<Provisioned, 'managed'> | null,
): boolean {
  return one.managed.set_at === other?.managed.set_at;
}
