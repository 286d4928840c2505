/**
 * The open streams of events of this daemon.
 * Invariant: a stream ends when a request with its credential would be refused, and an account receives its own events
 * only.
 */
import { createdAt } from '../../core/id.ts';
import { Problem } from '../../errors/problem.ts';
import type { StreamedBody } from '../../http-server/streamed-body.ts';
import type { OnlineFacts } from '../../online/online.ts';
import type { Principal } from '../../resources/definition.ts';
import { Selection, selectedFields } from '../../resources/selection.ts';
import type { QueryValues, StreamCall } from '../../resources/standalone/definition.ts';
import { type StreamTopic, streamTopics } from '../../resources/standalone/stream.ts';
import { TrafficRequest } from '../../resources/standalone/traffic-requests.ts';
import type { Change, JsonObject } from '../../store/store.ts';
import type { RequestFeed } from '../traffic/request-feed.ts';
import { ChangeLog, type LoggedStore, type Missed } from './change-log.ts';
import { COMMENT, eventText, idText } from './event-text.ts';
import { type EventPosition, eventId, parseEventId } from './last-event-id.ts';
import { OpenStream, type Subscription } from './open-stream.ts';
import { OverviewWatch } from './overview-watch.ts';
import { replay } from './replay.ts';
import { SessionWatch } from './session-watch.ts';
import { StreamPlaces } from './stream-places.ts';

export interface StreamsOptions {
  readonly store: LoggedStore;
  /** Kinds of documents that the API shows. */
  readonly kinds: readonly string[];
  readonly online: Pick<OnlineFacts, 'sessions' | 'tunnels'>;
  readonly requests: Pick<RequestFeed, 'follow' | 'requireOn'>;
  /** Resolves with the overview of an account. */
  readonly overview: (account: string) => Promise<JsonObject>;
  /** Returns true if a caller may know of a changed resource of its account. */
  readonly isVisible: (change: Change, principal: Principal) => boolean;
  /** Receives reasons of interruptions. Streams continue. */
  readonly failed: (error: unknown) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  readonly limits?: { readonly perAccount: number; readonly inAll: number };
}

/** Kinds whose changes may end a stream of their account. */
const CREDENTIAL_KINDS: ReadonlySet<string> = new Set(['api_key', 'user', 'bot_user']);
const LIMITS = { perAccount: 200, inAll: 1000 };
const COMMENT_MS = 15_000;
const RETRY_SECONDS = 10;
/** Range of milliseconds after which clients of a daemon that stops connect again, so that they do not come at once. */
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [500, 3000];

export class Streams {
  readonly #places: StreamPlaces;
  readonly #log: ChangeLog;
  readonly #sessions: SessionWatch;
  readonly #overviews: OverviewWatch;
  readonly #requests: StreamsOptions['requests'];
  /** Ends the feeds of requests, by account. */
  readonly #feeds = new Map<string, () => void>();
  readonly #failed: (error: unknown) => void;
  readonly #isVisible: StreamsOptions['isVisible'];
  #comments: NodeJS.Timeout | null = null;
  #isEnding = false;

  constructor(options: StreamsOptions) {
    const { store, kinds, online, failed, now = () => performance.now() } = options;
    this.#failed = failed;
    this.#isVisible = options.isVisible;
    this.#requests = options.requests;
    this.#places = new StreamPlaces(options.limits ?? LIMITS);
    this.#log = new ChangeLog(
      store,
      kinds,
      {
        changed: (changes, at, isNew) => this.#changed(changes, at, isNew),
        missed: (reason, at) => this.#missed(reason, at),
      },
      failed,
    );
    this.#sessions = new SessionWatch({
      online,
      now,
      report: (account, events) => this.#sendAll(account, 'sessions', 'session', events),
    });
    this.#overviews = new OverviewWatch({
      read: options.overview,
      report: (account, text) => this.#sendOverview(account, text),
      failed,
    });
  }

  get size(): number {
    return this.#places.size;
  }

  /** Opens a stream. Raises Problem. */
  open(call: StreamCall): StreamedBody {
    const { principal, query, isSourceAdmitted, isIdentified, lastEventId } = call;
    const { account } = principal;
    const topics = topicsOf(String(query.topics));
    const wants = selectionOf(query.filter);
    if (topics.has('traffic')) this.#requests.requireOn();
    this.#places.require(account, RETRY_SECONDS);
    return (output) => {
      const subscription = { account, principal, topics, wants, isSourceAdmitted, isIdentified };
      const stream = new OpenStream(subscription, output, (closed) => this.#closed(closed));
      // Another request may have taken the last place meanwhile.
      if (this.#isEnding || !this.#places.add(stream)) {
        stream.end(RETRY_SECONDS * 1000);
        return stream;
      }
      this.#comments ??= setInterval(() => this.#tick(), COMMENT_MS).unref();
      // Shows the client that the stream is open.
      stream.send(COMMENT, null);
      void this.#begin(stream, lastEventId);
      return stream;
    };
  }

  /** Ends streams whose source is no longer admitted. */
  recheckSources(): void {
    for (const stream of this.#places.all()) if (!stream.subscription.isSourceAdmitted()) stream.end(null);
  }

  /** Ends streams of these accounts whose caller is no longer good. */
  recheckAccounts(accounts: Iterable<string>): void {
    for (const account of accounts) for (const stream of this.#places.of(account)) void this.#recheck(stream);
  }

  /** Ends all streams. Their clients connect again, to another daemon if there is one. */
  end(): void {
    this.#isEnding = true;
    for (const stream of this.#places.all())
      stream.end(FIRST_RETRY_MS + Math.random() * (LAST_RETRY_MS - FIRST_RETRY_MS));
  }

  async #begin(stream: OpenStream, lastEventId: string | null): Promise<void> {
    try {
      // Also streams without changes follow the log, for changes of their credential.
      await this.#log.open(() => !stream.isOver);
      if (stream.isOver) return;
      const missed = lastEventId === null ? null : await this.#replay(stream, lastEventId);
      if (stream.isOver) return;
      this.#ready(stream, missed);
      await this.#recheck(stream);
    } catch (error) {
      this.#failed(error);
      stream.end(RETRY_SECONDS * 1000);
    }
  }

  /** Reports the changes since an event. Resolves with the reason if that is impossible. */
  async #replay(stream: OpenStream, lastEventId: string): Promise<Missed | null> {
    if (!stream.subscription.topics.has('changes')) return null;
    const from = parseEventId(lastEventId);
    if (from === null) return 'too_old';
    return await replay(this.#log, {
      from,
      to: () => this.#log.position ?? from,
      signal: stream.over,
      receive: (changes, { revision, mark }) => {
        const at = { revision, newest: from.newest, ...(mark === undefined ? {} : { mark }) };
        this.#sendChanges(stream, changes, at, ({ id }) => createdAt(id).getTime() / 1000 >= from.newest);
      },
      reached: ({ revision }) => {
        stream.reported = revision;
      },
    });
  }

  #ready(stream: OpenStream, missed: Missed | null): void {
    const { position } = this.#log;
    if (position === null) throw new Error('the change log is not followed');
    const { topics, account } = stream.subscription;
    if (topics.has('sessions')) this.#sessions.add(account);
    if (topics.has('traffic')) this.#followRequests(account);
    if (missed !== null) stream.send(eventText('reset', { reason: missed }), 'changes');
    const revision = Math.max(stream.reported ?? 0, position.revision);
    stream.reported = revision;
    stream.send(eventText('ready', { topics: [...topics], revision }, eventId(position)), null);
    if (!topics.has('overview')) return;
    const overview = this.#overviews.add(account);
    if (overview !== null) stream.send(overview, 'overview');
  }

  #changed(changes: readonly Change[], at: EventPosition, isNew: (change: Change) => boolean): void {
    for (const [account, own] of Map.groupBy(changes, (change) => change.account)) {
      const streams = this.#places.of(account);
      for (const stream of streams) {
        if (own.some((change) => isOtherRole(change, stream.subscription))) stream.end(null);
        this.#sendNews(stream, own, at, isNew);
      }
      if (own.some(({ kind }) => CREDENTIAL_KINDS.has(kind)))
        for (const stream of streams) void this.#recheck(stream);
    }
  }

  /** A stream that still reads the changes before receives none. */
  #sendNews(
    stream: OpenStream,
    changes: readonly Change[],
    at: EventPosition,
    isNew: (change: Change) => boolean,
  ): void {
    const { reported } = stream;
    if (reported === null) return;
    const news = changes.filter(({ revision }) => revision > reported);
    this.#sendChanges(stream, news, at, isNew);
  }

  /** The last event has the id: a client that misses one of them receives all of them again. */
  #sendChanges(
    stream: OpenStream,
    changes: readonly Change[],
    at: EventPosition,
    isNew: (change: Change) => boolean,
  ): void {
    const { account, principal, topics } = stream.subscription;
    if (!topics.has('changes')) return;
    const own = changes.filter((change) => change.account === account && this.#isVisible(change, principal));
    for (const [index, change] of own.entries()) {
      const { kind, id, revision, document, newerFormat } = change;
      const isDeleted = document === null && newerFormat === undefined;
      const what = isDeleted ? 'deleted' : isNew(change) ? 'created' : 'updated';
      const last = index === own.length - 1 ? eventId(at) : null;
      stream.send(eventText('change', { kind, id, what, revision }, last), 'changes');
    }
  }

  #missed(reason: Missed, at: EventPosition): void {
    for (const stream of this.#places.all()) {
      // One that reads the changes before finds out by itself.
      if (stream.reported === null) continue;
      stream.reported = at.revision;
      stream.send(eventText('reset', { reason }, eventId(at)), 'changes');
      void this.#recheck(stream);
    }
  }

  #sendAll(account: string, topic: StreamTopic, name: string, events: readonly JsonObject[]): void {
    const texts = events.map((data) => eventText(name, data));
    for (const stream of this.#places.of(account)) {
      if (!stream.subscription.topics.has(topic)) continue;
      for (const text of texts) stream.send(text, topic);
    }
  }

  /** A stream that is not ready receives it then. */
  #sendOverview(account: string, text: string): void {
    for (const stream of this.#places.of(account))
      if (stream.reported !== null && stream.subscription.topics.has('overview'))
        stream.send(text, 'overview');
  }

  #followRequests(account: string): void {
    if (this.#feeds.has(account)) return;
    const stop = this.#requests.follow(account, (entries, missed) =>
      this.#sendRequests(account, entries, missed),
    );
    this.#feeds.set(account, stop);
  }

  #sendRequests(account: string, entries: readonly JsonObject[], missed: number): void {
    const streams = this.#places
      .of(account)
      .filter(({ subscription, reported }) => subscription.topics.has('traffic') && reported !== null);
    for (const entry of entries) {
      const text = eventText('traffic', entry);
      for (const stream of streams) if (stream.subscription.wants(entry)) stream.send(text, 'traffic');
    }
    if (missed > 0) for (const stream of streams) stream.countDropped(missed, 'traffic');
  }

  /** Ends a stream whose credential is no longer good. Without the database it goes on. */
  async #recheck(stream: OpenStream): Promise<void> {
    const { isSourceAdmitted, isIdentified } = stream.subscription;
    const isGood = await isIdentified().catch(() => true);
    if (!isGood || !isSourceAdmitted()) stream.end(null);
  }

  /** Also rechecks credentials, in case a change was missed. */
  #tick(): void {
    const { position } = this.#log;
    for (const stream of this.#places.all()) {
      if (stream.reported !== null)
        stream.sendIfRead(position === null ? COMMENT : idText(eventId(position)));
      void this.#recheck(stream);
    }
  }

  #isWanted(account: string, topic: StreamTopic): boolean {
    return this.#places.of(account).some(({ subscription }) => subscription.topics.has(topic));
  }

  #closed(stream: OpenStream): void {
    const { account } = stream.subscription;
    this.#places.delete(stream);
    if (!this.#isWanted(account, 'sessions')) this.#sessions.delete(account);
    if (!this.#isWanted(account, 'overview')) this.#overviews.delete(account);
    if (!this.#isWanted(account, 'traffic')) {
      this.#feeds.get(account)?.();
      this.#feeds.delete(account);
    }
    if (this.#places.size > 0) return;
    this.#log.close();
    clearInterval(this.#comments ?? undefined);
    this.#comments = null;
  }
}

/** Returns true if the user of a client has another role now. The client connects again, with its new rights. */
function isOtherRole({ id, document }: Change, { principal }: Subscription): boolean {
  if (id !== principal.owner || document === null || !('role' in document.body)) return false;
  return document.body.role !== principal.role;
}

/** Raises Problem. */
function selectionOf(filter: QueryValues[string] | undefined): Subscription['wants'] {
  if (filter === undefined) return () => true;
  const selection = new Selection({ filter: String(filter) }, selectedFields(TrafficRequest));
  return (request) => selection.has(request);
}

/** Raises Problem. */
function topicsOf(text: string): ReadonlySet<StreamTopic> {
  const topics = text.split(',').map((name) => {
    const topic = streamTopics.find((one) => one === name);
    if (topic === undefined)
      throw new Problem(
        'streamTopicUnknown',
        { value: name, allowed: streamTopics.join(', ') },
        { field: 'topics', allowed: streamTopics },
      );
    return topic;
  });
  return new Set(topics);
}
