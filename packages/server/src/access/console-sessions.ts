/**
 * Sessions of browsers in the console. They are documents, so that they hold on every daemon of the database.
 * Invariant: a session ends with its API key or user, and a sign-in never continues an earlier session.
 */
import type { Logger } from 'pino';
import { TokenBuckets } from '../core/limits/token-buckets.ts';
import type { Change, ConsoleSessionDocument, DocumentStore, StoredDocument } from '../documents/index.ts';
import { followDocuments } from '../documents/store.ts';
import { Problem } from '../errors/problem.ts';
import { failureLog } from '../store/outage-log.ts';
import { ConflictError, type WriteOperation } from '../store/store.ts';
import { insertChild } from './console-children.ts';
import { grantBelow, LINK_MS, type SignIn } from './console-links.ts';
import {
  type ApiKeyGrant,
  hashToken,
  idInToken,
  isHashOf,
  mintSecret,
  type TokenFault,
  tokenOf,
} from './tokens.ts';

/** Milliseconds without a request after which a session ends. */
export const IDLE_MS = 12 * 3_600_000;
/** Milliseconds after which a session ends in any case. */
export const LONGEST_MS = 7 * 24 * 3_600_000;
/** Milliseconds between two notes of the last use. */
const SEEN_MS = 60_000;
/** Clocks of several daemons differ by less, in milliseconds. */
const TOLERANCE_MS = 5 * 60_000;
const SWEEP_MS = 60_000;
/** Documents of one sweep; the next one takes the rest. */
const MOST_SWEPT = 1000;
const LONGEST_AGENT = 200;
/** Sessions that a key or a user may begin on a daemon: each has an entry in the audit trail. */
const BEGIN_RATE = { burst: 100, perSecond: 0.2 };

const followed = ['console_session', 'console_link'] as const;
type Followed = StoredDocument<(typeof followed)[number]>;
type SessionBody = Pick<ConsoleSessionDocument, 'begun_at' | 'expires_at' | 'seen_at'>;

export interface ConsoleSessionsOptions {
  readonly store: DocumentStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
  /** Returns the operations that write an entry of the audit trail. */
  readonly entryOf: (newId: (prefix: string) => string, event: SessionEvent) => readonly WriteOperation[];
}

/** Facts about the browser of a sign-in. */
export interface Browser {
  readonly address: string;
  readonly userAgent: string;
  /** Id of the request. */
  readonly operationId: string;
}

/** A caller that ends a session, and its request. */
export interface SessionEnder extends ApiKeyGrant {
  readonly address: string;
  readonly operation?: string;
  readonly operationId?: string;
}

/** Begin or end of a session. */
export interface SessionEvent {
  readonly by: ApiKeyGrant & Pick<SessionEnder, 'address'>;
  readonly operation: string;
  readonly operationId: string;
  /** Id of the session. */
  readonly id: string;
  /** User of the session. */
  readonly owner: string;
  /** The key or the user that it is for. */
  readonly parent: string;
  /** Null: it ends. */
  readonly begun: {
    readonly way: SignIn['way'];
    readonly address: string;
    readonly user_agent: string;
  } | null;
}

/** A new session. */
export interface Begun {
  /** Content of the cookie. */
  readonly token: string;
  readonly grant: ApiKeyGrant;
}

export class ConsoleSessions {
  readonly #options: ConsoleSessionsOptions;
  readonly #known = new Map<string, Followed>();
  readonly #listeners: ((accounts: ReadonlySet<string>) => void)[] = [];
  readonly #begins = new TokenBuckets(BEGIN_RATE);
  #following: { stop(): Promise<void> } | null = null;
  #sweeping: NodeJS.Timeout | undefined;

  private constructor(options: ConsoleSessionsOptions) {
    this.#options = options;
  }

  static async start(options: ConsoleSessionsOptions): Promise<ConsoleSessions> {
    const sessions = new ConsoleSessions(options);
    const onError = failureLog(options.log, 'following console sessions failed');
    sessions.#following = await followDocuments(options.store, followed, sessions, { onError });
    const sweepError = failureLog(options.log, 'deleting old console sessions failed');
    sessions.#sweeping = setInterval(() => void sessions.sweep().catch(sweepError), SWEEP_MS).unref();
    return sessions;
  }

  async stop(): Promise<void> {
    clearInterval(this.#sweeping);
    await this.#following?.stop();
  }

  /** Called with the accounts of sessions that have ended. */
  onEnd(listener: (accounts: ReadonlySet<string>) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Begins a session, and uses up the link. Raises Problem if the link was used, or the key deleted, a moment ago, or if
   * the key has begun too many.
   */
  async begin({ grant, link, way }: SignIn, browser: Browser): Promise<Begun> {
    const { store, now, log, entryOf } = this.#options;
    this.#takeTurn(grant);
    const { address, operationId } = browser;
    const user_agent = browser.userAgent.slice(0, LONGEST_AGENT);
    const secret = mintSecret();
    const begun_at = now();
    const fields = {
      ...{ owner_id: grant.owner, begun_at, expires_at: begun_at + LONGEST_MS, seen_at: begun_at },
      ...{ address, seen_from: address, user_agent },
    };
    const place = { account: grant.account, parent: grant.key };
    try {
      const id = await insertChild(
        store,
        place,
        {
          kind: 'console_session',
          bodyOf: (own) => ({ token_hash: hashToken(tokenOf(own, secret)), ...fields }),
        },
        link,
        (newId, own) =>
          entryOf(newId, {
            ...{ by: { ...grant, address }, operation: 'console_sign_in', operationId, id: own },
            ...{ owner: grant.owner, parent: grant.key, begun: { way, address, user_agent } },
          }),
      );
      const signedIn = { account: grant.account, user: grant.owner, session: id, way, address };
      log.info({ ...signedIn, operation_id: operationId }, 'a user has signed in to the console');
      const session = { id, begunAt: begun_at, expiresAt: fields.expires_at };
      return { token: tokenOf(id, secret), grant: { ...grant, session } };
    } catch (error) {
      if (error instanceof ConflictError) throw new Problem('consoleTokenInvalid');
      throw error;
    }
  }

  /**
   * Returns the rights of a cookie. `tokenHash`: as `hashToken` makes it. `address`: that of the request; null if there is
   * none, so that the session is not used.
   */
  async authenticate(
    token: string,
    tokenHash: string,
    address: string | null,
  ): Promise<ApiKeyGrant | TokenFault> {
    const { store, now } = this.#options;
    const id = idInToken(token, 'cs');
    const session = id === null ? null : await store.get(id);
    if (session?.kind !== 'console_session' || !isHashOf(tokenHash, session.body.token_hash))
      return { fault: 'consoleSessionOver' };
    if (isOver(session.body, now())) return { fault: 'consoleSessionOver' };
    const grant = await grantBelow(store, { account: session.account, parent: session.parent ?? '' });
    if ('fault' in grant) return grant;
    if (address !== null) this.#noteUse(session, address);
    const { begun_at: begunAt, expires_at: expiresAt } = session.body;
    return { ...grant, session: { id: session.id, begunAt, expiresAt } };
  }

  /** Ends a session, by a request. One that has ended already is ignored. */
  async end(id: string, by: SessionEnder): Promise<void> {
    const { store, entryOf } = this.#options;
    const { operation = '', operationId = '' } = by;
    for (;;) {
      const session = await store.get(id);
      if (session?.kind !== 'console_session') return;
      const { parent, body } = session;
      const event = {
        by,
        operation,
        operationId,
        id,
        owner: body.owner_id,
        parent: parent ?? '',
        begun: null,
      };
      if (await this.#delete(session, (newId) => entryOf(newId, event))) return;
    }
  }

  /** Raises Problem. */
  #takeTurn({ key }: ApiKeyGrant): void {
    const now = this.#options.now();
    if (!this.#begins.has(key, now)) {
      const { burst: limit, perSecond } = BEGIN_RATE;
      const seconds = 1 / perSecond;
      throw new Problem('consoleSignInsLimited', { limit, seconds }, { limit }, seconds);
    }
    this.#begins.take(key, now);
  }

  /** Callback of `follow`: all documents. */
  reset(documents: readonly Followed[]): void {
    this.#known.clear();
    for (const document of documents) this.#known.set(document.id, document);
  }

  /** Callback of `follow`: the changes. */
  apply(changes: readonly Change<Followed['kind']>[]): void {
    const ended = new Set<string>();
    for (const { id, kind, account, document } of changes) {
      if (document !== null) this.#known.set(id, document);
      else {
        this.#known.delete(id);
        if (kind === 'console_session') ended.add(account);
      }
    }
    if (ended.size > 0) for (const listener of this.#listeners) listener(ended);
  }

  /** Deletes what has ended. Several daemons can sweep at once. */
  async sweep(): Promise<void> {
    const now = this.#options.now();
    const old = [...this.#known.values()].filter((document) =>
      document.kind === 'console_session'
        ? isOver(document.body, now)
        : Math.abs(now - document.body.expires_at) > LINK_MS + TOLERANCE_MS,
    );
    for (const document of old.slice(0, MOST_SWEPT)) await this.#delete(document);
  }

  /** Returns false if the document has changed in between. */
  async #delete(
    { id, revision }: Followed,
    along: (newId: (prefix: string) => string) => readonly WriteOperation[] = () => [],
  ): Promise<boolean> {
    try {
      await this.#options.store.write((newId) => [{ op: 'delete', id, revision }, ...along(newId)]);
      return true;
    } catch (error) {
      if (error instanceof ConflictError) return false;
      throw error;
    }
  }

  /** Writes down the use, not more than once a minute. A failure loses only the note. */
  #noteUse({ id, revision, body }: StoredDocument<'console_session'>, address: string): void {
    const { store, now, log } = this.#options;
    const seen_at = now();
    if (Math.abs(seen_at - body.seen_at) < SEEN_MS) return;
    const seen: ConsoleSessionDocument = { ...body, seen_at, seen_from: address };
    store
      .write(() => [{ op: 'rewrite', id, revision, body: seen }])
      .catch((error: unknown) => {
        // Another request has noted it, or the session has ended.
        if (!(error instanceof ConflictError))
          log.debug({ err: error }, 'a use of the console was not noted');
      });
  }
}

/** Returns true if a session has ended. One that began later than now has ended, too: one of the clocks was wrong. */
export function isOver({ begun_at, expires_at, seen_at }: SessionBody, now: number): boolean {
  if (Math.max(begun_at, seen_at) > now + TOLERANCE_MS) return true;
  return now >= expires_at || now >= seen_at + IDLE_MS;
}
