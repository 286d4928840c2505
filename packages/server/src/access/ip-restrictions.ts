/**
 * Checks the addresses of API clients and agents by the IP restrictions of their account.
 * Invariant: a verdict is synchronous, and an enforced restriction admits no address that its rules exclude.
 */
import type { Logger } from 'pino';
import { admits } from '../core/ip/ip-rules.ts';
import type { Change, DocumentFeed, StoredDocument } from '../documents/index.ts';
import { followDocuments } from '../documents/store.ts';
import { failureLog } from '../store/outage-log.ts';
import { IpPolicies } from './ip-policies.ts';

const followed = ['ip_restriction', 'ip_policy_rule'] as const;
type Followed = (typeof followed)[number];
type Restriction = StoredDocument<'ip_restriction'>;

/** `unenforced`: it would be refused if the restriction were enforced. */
export type Verdict = 'admitted' | 'unenforced' | 'refused';

export class IpRestrictions {
  #policies = new IpPolicies();
  readonly #byAccount = new Map<string, Map<string, Restriction>>();
  readonly #accountOf = new Map<string, string>();
  readonly #listeners: (() => void)[] = [];
  #following: { stop(): Promise<void> } | null = null;

  /** Knows all restrictions and rules, and follows the store until it is stopped. */
  static async start({
    store,
    log,
  }: {
    readonly store: DocumentFeed;
    readonly log: Logger;
  }): Promise<IpRestrictions> {
    const restrictions = new IpRestrictions();
    const onError = failureLog(log, 'following IP restrictions failed');
    restrictions.#following = await followDocuments(store, followed, restrictions, { onError });
    return restrictions;
  }

  async stop(): Promise<void> {
    await this.#following?.stop();
  }

  /** Called when a verdict may have become another one. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Judges an address in the form of a socket, without the port. */
  judge(account: string, type: 'api' | 'agent' | 'dashboard', ip: string): Verdict {
    for (const { body: restriction } of this.#byAccount.get(account)?.values() ?? []) {
      if (restriction.type !== type) continue;
      if (admits(this.#policies.rulesOf(restriction.ip_policy_ids), ip)) continue;
      return restriction.enforced ? 'refused' : 'unenforced';
    }
    return 'admitted';
  }

  /**
   * Judges an address of the console. Without an enforced restriction for the dashboard, that of the API applies, because
   * the console reaches the whole API.
   */
  judgeConsole(account: string, ip: string): Verdict {
    const own = this.judge(account, 'dashboard', ip);
    if (own === 'refused' || this.#isEnforced(account, 'dashboard')) return own;
    const api = this.judge(account, 'api', ip);
    return api === 'admitted' ? own : api;
  }

  #isEnforced(account: string, type: 'dashboard'): boolean {
    const restrictions = this.#byAccount.get(account)?.values() ?? [];
    return [...restrictions].some(({ body }) => body.type === type && body.enforced);
  }

  /** Callback of `follow`: all documents. */
  reset(documents: readonly StoredDocument<Followed>[]): void {
    const policies = new IpPolicies();
    // Before anything is forgotten: a rule that cannot be read must not open what was shut.
    for (const document of documents) if (document.kind === 'ip_policy_rule') policies.put(document);
    this.#policies = policies;
    this.#byAccount.clear();
    this.#accountOf.clear();
    for (const document of documents) if (document.kind === 'ip_restriction') this.#put(document);
    this.#announce();
  }

  /** Callback of `follow`: the changes. */
  apply(changes: readonly Change<Followed>[]): void {
    for (const { id, document } of changes) {
      if (document === null) this.#remove(id);
      else this.#put(document);
    }
    this.#announce();
  }

  #put(document: StoredDocument<Followed>): void {
    if (document.kind === 'ip_policy_rule') {
      this.#policies.put(document);
      return;
    }
    const { id, account } = document;
    const own = this.#byAccount.get(account) ?? new Map<string, Restriction>();
    this.#byAccount.set(account, own.set(id, document));
    this.#accountOf.set(id, account);
  }

  #remove(id: string): void {
    this.#policies.remove(id);
    const account = this.#accountOf.get(id);
    if (account === undefined) return;
    this.#accountOf.delete(id);
    const own = this.#byAccount.get(account);
    own?.delete(id);
    if (own?.size === 0) this.#byAccount.delete(account);
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}
