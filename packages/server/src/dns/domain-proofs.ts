/**
 * Proofs of names outside the shared domain: checked at the reservation, then repeatedly, and stored. With several daemons one of them
 * does it for all.
 * Invariant: a proof ends only if a record names another account, not because a record is missing or a name server is
 * unavailable.
 */
import type { Logger } from 'pino';
import { createdAt } from '../core/id.ts';
import type { Settings } from '../core/settings.ts';
import type { Change, DocumentStore, DomainProofDocument, StoredDocument } from '../documents/index.ts';
import { followDocuments } from '../documents/store.ts';
import { WorkLease } from '../documents/work-lease.ts';
import { failureLog } from '../store/outage-log.ts';
import { ConflictError, type WriteOperation } from '../store/store.ts';
import { checkName, describeWrongRecord } from './name-check.ts';
import { type Findings, judge, proofName, type Verdict } from './proof.ts';
import { LookupError, type NameLookup } from './resolver.ts';

const kinds = ['reserved_domain', 'domain_proof'] as const;
type Followed = (typeof kinds)[number];
type Reservation = StoredDocument<'reserved_domain'>;
type Proof = StoredDocument<'domain_proof'>;

const dayMs = 24 * 60 * 60_000;
const minuteMs = 60_000;
/** Milliseconds between checks of due names. */
const turnMs = 15_000;
/** Number of concurrent checks. */
const lanes = 32;

export interface DomainProofsOptions {
  readonly store: DocumentStore;
  readonly lookup: NameLookup;
  readonly settings: Pick<Settings, 'domain' | 'requireDomainProof'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The id of this process; null if no other daemon can use the database. */
  readonly daemon: string | null;
  /** Milliseconds of a monotonic clock. */
  readonly uptime: () => number;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** Result of a check, for the owner of the name. */
export interface ProofReport {
  readonly provenBy: DomainProofDocument['proven_by'];
  /** Description of the current DNS records. */
  readonly message: string;
  /** Null: nothing was looked up. */
  readonly findings: Findings | null;
}

export class DomainProofs {
  readonly #options: DomainProofsOptions;
  readonly #lease: WorkLease;
  readonly #reservations = new Map<string, Reservation>();
  /** Proofs by the id of the reservation. */
  readonly #proofs = new Map<string, Proof>();
  readonly #proofOwners = new Map<string, string>();
  /** Time of the last check of a name, with any result, in milliseconds since the epoch. */
  readonly #tried = new Map<string, number>();
  #following: { stop(): Promise<void> } | null = null;
  #timer: NodeJS.Timeout | undefined;
  #passing: Promise<void> | null = null;

  constructor(options: DomainProofsOptions) {
    this.#options = options;
    this.#lease = new WorkLease({ ...options, work: 'domain_proofs', everyMs: turnMs });
  }

  /** Starts periodic checks, if proofs are required. */
  async start(): Promise<void> {
    const { store, log, settings } = this.#options;
    if (!settings.requireDomainProof) return;
    const onError = failureLog(log, 'following reserved domains for their proofs failed');
    this.#following = await followDocuments(store, kinds, this, { onError });
    this.#timer = setInterval(() => void this.pass(), turnMs).unref();
    void this.pass();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#following?.stop();
    await this.#passing;
    await this.#lease.release();
  }

  /**
   * Checks a name now. If proofs are required, the result is stored when it resolves. Rejects if the store is
   * unavailable.
   */
  async look(reservation: Reservation): Promise<ProofReport> {
    const { settings, now } = this.#options;
    const findings = await this.#find(reservation);
    const verdict = judge(findings, reservation.account);
    const before = this.#proofs.get(reservation.id);
    const provenBy = afterwards(before?.body.proven_by ?? null, verdict);
    this.#tried.set(reservation.id, now());
    if (settings.requireDomainProof && verdict.verdict !== 'unknown') {
      await this.#keep(reservation, before, provenBy);
    }
    return { provenBy, findings, message: describe(findings, verdict, proofName(reservation.body.domain)) };
  }

  /** Checks each name that is due. Never rejects. */
  pass(): Promise<void> {
    this.#passing ??= this.#lookAtDue().finally(() => {
      this.#passing = null;
    });
    return this.#passing;
  }

  /** Callback of `follow`. */
  reset(documents: readonly StoredDocument<Followed>[]): void {
    this.#reservations.clear();
    this.#proofs.clear();
    this.#proofOwners.clear();
    this.#tried.clear();
    for (const document of documents) this.#put(document);
  }

  /** Callback of `follow`. */
  apply(changes: readonly Change<Followed>[]): void {
    let isNew = false;
    for (const { id, document } of changes) {
      if (document === null) this.#remove(id);
      else {
        isNew ||= document.kind === 'reserved_domain' && !this.#reservations.has(id);
        this.#put(document);
      }
    }
    if (isNew) setImmediate(() => void this.pass());
  }

  #put(document: StoredDocument<Followed>): void {
    const { id, kind, parent } = document;
    if (kind === 'reserved_domain') {
      if (document.body.cname_target !== '') this.#reservations.set(id, document);
    } else if (parent !== null) {
      this.#proofs.set(parent, document);
      this.#proofOwners.set(id, parent);
    }
  }

  #remove(id: string): void {
    this.#reservations.delete(id);
    this.#tried.delete(id);
    const owner = this.#proofOwners.get(id);
    if (owner === undefined) return;
    this.#proofOwners.delete(id);
    this.#proofs.delete(owner);
  }

  async #lookAtDue(): Promise<void> {
    if (this.#reservations.size === 0 || !(await this.#lease.holds())) return;
    const due = [...this.#reservations.values()].filter((reservation) => this.#isDue(reservation));
    const failures: unknown[] = [];
    const lane = async (): Promise<void> => {
      for (let next = due.pop(); next !== undefined; next = due.pop()) {
        await this.look(next).catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    const [error] = failures;
    if (error === undefined) return;
    this.#options.log.warn(
      { err: error, names: failures.length },
      'results of DNS checks could not be stored',
    );
  }

  /** Returns true if a check is due: a day after a proof; without one after a minute, then ever less often. */
  #isDue({ id }: Reservation): boolean {
    const proof = this.#proofs.get(id)?.body;
    const checkedAt = proof === undefined ? undefined : Date.parse(proof.checked_at);
    const last = Math.max(checkedAt ?? 0, this.#tried.get(id) ?? 0);
    if (last === 0) return true;
    const isProven = proof !== undefined && proof.proven_by !== null;
    const age = last - createdAt(id).getTime();
    const sinceMs = this.#options.now() - last;
    const isOfClockAhead = sinceMs < -minuteMs;
    return isOfClockAhead || sinceMs >= (isProven ? dayMs : Math.min(dayMs, Math.max(minuteMs, age)));
  }

  async #find({ id, body }: Reservation): Promise<Findings> {
    const { lookup, settings } = this.#options;
    const { domain, cname_target } = body;
    const [check, texts] = await Promise.all([
      checkName({ lookup, settings }, { id, domain, cname_target }),
      lookup.texts(proofName(domain)).catch(noneIfUnknown),
    ]);
    return { check, texts };
  }

  async #keep(
    reservation: Reservation,
    before: Proof | undefined,
    provenBy: DomainProofDocument['proven_by'],
  ): Promise<void> {
    const { store, now } = this.#options;
    const isSame = before !== undefined && before.body.proven_by === provenBy;
    // Frequent checks do not write frequently.
    if (isSame && Math.abs(now() - Date.parse(before.body.checked_at)) < minuteMs) return;
    const body: DomainProofDocument = { proven_by: provenBy, checked_at: new Date(now()).toISOString() };
    try {
      await store.write((newId) => [operation(reservation, before, newId, body)]);
    } catch (error) {
      // Another daemon was quicker, or the name is reserved no more.
      if (!(error instanceof ConflictError)) throw error;
      return;
    }
    this.#tell(reservation, before, provenBy);
  }

  #tell(
    { id, account, body: { domain } }: Reservation,
    before: Proof | undefined,
    provenBy: DomainProofDocument['proven_by'],
  ): void {
    const { log } = this.#options;
    const was = before?.body.proven_by ?? null;
    if (was === null && provenBy !== null)
      log.info({ reservation: id, account, domain, by: provenBy }, 'a name is proven, and served');
    if (was !== null && provenBy === null)
      log.warn(
        { reservation: id, account, domain },
        'a name is out of service: its DNS names another account',
      );
  }
}

function afterwards(
  before: DomainProofDocument['proven_by'],
  verdict: Verdict,
): DomainProofDocument['proven_by'] {
  switch (verdict.verdict) {
    case 'proven':
      return verdict.by;
    case 'disproven':
      return null;
    case 'missing':
    case 'unknown':
      return before;
    default:
      return verdict satisfies never;
  }
}

function operation(
  { id: parent, account }: Reservation,
  before: Proof | undefined,
  newId: (prefix: string) => string,
  body: DomainProofDocument,
): WriteOperation {
  if (before !== undefined) return { op: 'rewrite', id: before.id, revision: before.revision, body };
  const names = [{ kind: 'domain_proof', value: parent }];
  const of = { account, kind: 'domain_proof', parent };
  return { op: 'insert', id: newId('dp'), ...of, body, links: [], names };
}

function describe({ check, texts }: Findings, verdict: Verdict, textName: string): string {
  if (verdict.verdict === 'proven') {
    return verdict.by === 'text'
      ? `the TXT record of ${textName} names this account`
      : 'the DNS of the name leads here';
  }
  const other =
    verdict.verdict === 'disproven' ? `; the TXT record of ${textName} names another account` : '';
  switch (check.state) {
    case 'wrong':
      return `${describeWrongRecord(check.record)}${other}`;
    case 'unknown':
      return check.reason;
    case 'right':
      return texts === null
        ? `no name server returned the TXT records of ${textName}`
        : `the addresses of the name lead here${other}`;
    default:
      return check satisfies never;
  }
}

function noneIfUnknown(error: unknown): null {
  if (error instanceof LookupError) return null;
  throw error;
}
