/**
 * What all connections of the HTTP engine share: where to look things up, limits, a coarse clock.
 * In: the engine's options. Out: one object. What may change here: what is shared; nothing about one connection.
 */
import type { Logger } from 'pino';
import type { Hostname } from '../../core/hostname.ts';
import type { TunnelStreams } from '../backends/tunnel-streams.ts';
import type { Targets } from '../target.ts';
import { Head } from './head.ts';
import type { HttpLimits } from './limits.ts';

export interface Corked {
  uncork(): void;
}

export class Shared {
  /** Milliseconds, set once a sweep: for deadlines that need no better. */
  clock: number;
  /** The value of the Date header. */
  date = new Date().toUTCString();
  draining = false;
  /** Filled and used within one call, so one of each does for all connections. */
  readonly requestHead: Head;
  readonly responseHead: Head;
  #corked: Corked[] = [];

  readonly targets: Targets;
  readonly streams: TunnelStreams;
  readonly limits: HttpLimits;
  readonly errorPrefix: string;
  /** Lower case. */
  readonly errorCodeHeader: string;
  readonly publicPort: number;
  /** The shared domain. */
  readonly domain: Hostname;
  readonly now: () => number;
  readonly observe: ((targetId: string, status: number, durationMs: number) => void) | null;
  readonly log: Pick<Logger, 'error'>;

  constructor(parts: {
    targets: Targets;
    streams: TunnelStreams;
    limits: HttpLimits;
    errorPrefix: string;
    errorCodeHeader: string;
    publicPort: number;
    domain: Hostname;
    now: () => number;
    observe: ((targetId: string, status: number, durationMs: number) => void) | null;
    log: Pick<Logger, 'error'>;
  }) {
    this.targets = parts.targets;
    this.streams = parts.streams;
    this.limits = parts.limits;
    this.errorPrefix = parts.errorPrefix;
    this.errorCodeHeader = parts.errorCodeHeader;
    this.publicPort = parts.publicPort;
    this.domain = parts.domain;
    this.now = parts.now;
    this.observe = parts.observe;
    this.log = parts.log;
    this.clock = parts.now();
    this.requestHead = new Head(parts.limits.headBytes, parts.limits.fields, parts.errorCodeHeader);
    this.responseHead = new Head(parts.limits.headBytes, parts.limits.fields, parts.errorCodeHeader);
  }

  tick(): void {
    this.clock = this.now();
    this.date = new Date().toUTCString();
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
