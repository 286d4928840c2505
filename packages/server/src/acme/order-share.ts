/**
 * Limits the orders of each account, because authorities count the orders of the whole service.
 * Invariant: no account uses up the share of others, and a restart forgets no order.
 * Invariant: a renewal does not wait for new names, and the service's own names wait for no share.
 */
import type { DocumentStore, ManagedCertificate, StoredDocument } from '../documents/index.ts';
import { ConflictError } from '../store/store.ts';
import { ShareFailure } from './acme-failure.ts';

const HOUR_MS = 60 * 60_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** The owner of the service's own names. Their number is small: the shared domain, and the hosts outside it. */
const SERVICE = 'system';
/** The limit of a week, as a multiple of the limit of an hour. */
const WEEK_FACTOR = 20;

export interface OrderShareOptions {
  readonly store: Pick<DocumentStore, 'findName' | 'get' | 'write'>;
  /** Orders in an hour; 0 for no limit. */
  readonly perHour: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export class OrderShare {
  readonly #options: OrderShareOptions;

  constructor(options: OrderShareOptions) {
    this.#options = options;
  }

  /** Counts an order. Rejects with ShareFailure if the account has used up its share. */
  async take(account: string, managed: ManagedCertificate): Promise<void> {
    const { perHour, now } = this.#options;
    if (perHour === 0 || account === SERVICE || isRenewal(managed, now())) return;
    for (;;) {
      const document = await this.#find(account);
      const at = now();
      const times = (document?.body.times ?? []).filter((time) => time > at - WEEK_MS && time <= at);
      requireRoom(times, perHour, at);
      try {
        await this.#put(account, document, [...times, at]);
        return;
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
      }
    }
  }

  async #find(account: string): Promise<StoredDocument<'acme_share'> | null> {
    const { store } = this.#options;
    const holder = await store.findName(claimOf(account));
    const document = holder === null ? null : await store.get(holder.id);
    return document?.kind === 'acme_share' ? document : null;
  }

  async #put(
    account: string,
    document: StoredDocument<'acme_share'> | null,
    times: readonly number[],
  ): Promise<void> {
    const body = { times };
    const row = { account, kind: 'acme_share', parent: null, links: [], names: [claimOf(account)] } as const;
    await this.#options.store.write((newId) => [
      document === null
        ? { op: 'insert', id: newId('ao'), ...row, body }
        : { op: 'rewrite', id: document.id, revision: document.revision, body },
    ]);
  }
}

/** Returns true for a scheduled renewal. The schedule keeps their number small. */
function isRenewal({ renews_at, set_at }: ManagedCertificate, now: number): boolean {
  return renews_at !== null && renews_at <= now && set_at < renews_at;
}

/** `times` are in order. Throws ShareFailure. */
function requireRoom(times: readonly number[], perHour: number, now: number): void {
  for (const [most, within, name] of [
    [perHour, HOUR_MS, 'hour'],
    [perHour * WEEK_FACTOR, WEEK_MS, 'week'],
  ] as const) {
    const first = times.at(-most);
    if (first === undefined || first <= now - within) continue;
    throw new ShareFailure(
      `This account has ordered ${most} certificates within one ${name}, which is its share of what the certificate authority allows. This one waits until there is room again.`,
      first + within - now,
    );
  }
}

function claimOf(account: string) {
  return { kind: 'system', value: `acme_share/${account}` };
}
