/**
 * The state that all connections of the HTTP engine share: sites, limits, a coarse clock.
 * Invariant: it keeps nothing of a single connection.
 */
import { ByteBudget } from '@underpass/wire';
import type { Logger } from 'pino';
import type { Hostname } from '../../core/names/hostname.ts';
import { Head } from '../../http-syntax/head.ts';
import { Linger, LingerPlaces } from '../../system/linger.ts';
import { SilentVisitors } from '../../system/silent-visitors.ts';
import type { Streams } from '../backends/streams.ts';
import type { BodyRecordings } from '../sites/body-recording.ts';
import type { Observe, Recorded } from '../sites/exchange-record.ts';
import type { Sites } from '../sites/sites.ts';
import type { HttpLimits } from './limits.ts';

export interface Corked {
  uncork(): void;
}

/** Names whose agents are expected back. */
export interface ExpectedAgents {
  /** Called for requests that find nothing online: cheap. */
  isExpected(visitor: { readonly name: Hostname }): boolean;
  /** Calls `goOn` at once, or when `isServed` is true, or after the time that agents take. */
  whenServed(visitor: {
    readonly source: string;
    readonly name: Hostname;
    readonly isServed: () => boolean;
    readonly goOn: () => void;
  }): void;
}

export type SharedParts = Pick<
  Shared,
  | 'sites'
  | 'streams'
  | 'limits'
  | 'errorPrefix'
  | 'errorCodeHeader'
  | 'ownNames'
  | 'publicPort'
  | 'plainPort'
  | 'domain'
  | 'now'
  | 'observe'
  | 'recorded'
  | 'recordings'
  | 'expected'
  | 'log'
>;

export class Shared {
  /** Milliseconds, set once a sweep: for deadlines that need no better. */
  clock: number;
  /** The value of the Date header. */
  date = new Date().toUTCString();
  draining = false;
  /** Filled and used within one call, so one of each does for all connections. */
  readonly requestHead: Head;
  readonly responseHead: Head;
  /** Parses responses that were written here, for visitors who get them in another form. */
  readonly answerHead: Head;
  /** Bytes that are kept of bodies that are judged as a whole. */
  readonly bodies: ByteBudget;
  /** Silent visitors of switched connections. */
  readonly silentVisitors = new SilentVisitors();
  /** Places for connections that send on after their last response. */
  readonly lingerPlaces: LingerPlaces;
  #corked: Corked[] = [];

  readonly sites: Sites;
  readonly streams: Streams;
  readonly limits: HttpLimits;
  readonly errorPrefix: string;
  /** Lower case. */
  readonly errorCodeHeader: string;
  /** Names of header fields in lower case that only this service sends, beside `underpass-…`. */
  readonly ownNames: readonly string[];
  readonly publicPort: number;
  readonly plainPort: number | null;
  /** The shared domain. */
  readonly domain: Hostname;
  readonly now: () => number;
  readonly observe: Observe | null;
  /** Extent of the records of an account's requests. */
  readonly recorded: (account: string) => Recorded;
  readonly recordings: BodyRecordings;
  /** Null: no agents are expected back. */
  readonly expected: ExpectedAgents | null;
  readonly log: Pick<Logger, 'error'>;

  constructor(parts: SharedParts) {
    this.sites = parts.sites;
    this.streams = parts.streams;
    this.limits = parts.limits;
    this.errorPrefix = parts.errorPrefix;
    this.errorCodeHeader = parts.errorCodeHeader;
    this.ownNames = parts.ownNames;
    this.publicPort = parts.publicPort;
    this.plainPort = parts.plainPort;
    this.domain = parts.domain;
    this.now = parts.now;
    this.observe = parts.observe;
    this.recorded = parts.recorded;
    this.recordings = parts.recordings;
    this.expected = parts.expected;
    this.log = parts.log;
    this.bodies = new ByteBudget(parts.limits.awaitedBodies);
    this.lingerPlaces = new LingerPlaces(parts.limits.lingerPlaces);
    this.clock = parts.now();
    this.requestHead = new Head(parts.limits.headBytes, parts.limits.fields, parts.ownNames);
    this.responseHead = new Head(parts.limits.headBytes, parts.limits.fields, parts.ownNames);
    // With room for what routes add.
    this.answerHead = new Head(4 * parts.limits.headBytes, 4 * parts.limits.fields, []);
  }

  tick(): void {
    this.clock = this.now();
    this.date = new Date().toUTCString();
  }

  /** Returns the linger for a connection or stream of `source` whose last response is written. */
  linger(source: string): Linger {
    return new Linger(this.limits, this.lingerPlaces, source, this.clock);
  }

  /** Has `connection` write out at the end of this tick what it has gathered. */
  uncorkSoon(connection: Corked): void {
    if (this.#corked.push(connection) === 1) process.nextTick(this.#uncorkAll);
  }

  readonly #uncorkAll = (): void => {
    const corked = this.#corked;
    this.#corked = [];
    for (const connection of corked) connection.uncork();
  };
}
