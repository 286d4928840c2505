/**
 * Another daemon, and the link to it that this one keeps up while the other one lives. This end opens all streams.
 * Invariant: no stream is opened before the hello has proven the incarnation and a common version.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ByteBudget,
  call,
  ErrorCode,
  echoHeartbeat,
  MuxSession,
  type MuxStream,
  type StreamHandler,
  StreamType,
  WireError,
} from '@underpass/wire';
import type { Logger } from 'pino';
import { type Dialled, dial } from './dial.ts';
import { commonVersion, helloOf, mismatch, parseHello } from './hello.ts';
import type { LinkIdentity } from './identity.ts';
import { queuedBytes, STREAMS } from './limits.ts';
import type { LinkNode } from './node-facts.ts';
import { isKnownTo, LinkStream, type Peer } from './peers.ts';
import { type LinkTimes, watchSilence } from './silence.ts';

export interface LinkPeerOptions {
  readonly node: LinkNode;
  readonly identity: LinkIdentity;
  /** The incarnation of this daemon; null: it has not joined. */
  readonly own: () => number | null;
  /** Called when the link comes up or goes down. */
  readonly changed: (peer: LinkPeer) => void;
  readonly times: LinkTimes;
  readonly queued: ByteBudget;
  readonly log: Logger;
}

/** Bytes of a hop's header that are sent before its windows are narrow. */
const FIRST_BYTES = 4_096;

/** The types of links have numbers of their own, which are those of agents' streams only by chance. */
const onWire = (type: LinkStream): StreamType => type as StreamType;

/** The other daemon speaks no version that this one speaks. */
class VersionError extends Error {}

export class LinkPeer implements Peer {
  readonly incarnation: number;
  readonly region: string;
  readonly #options: LinkPeerOptions;
  readonly #stopped = new AbortController();
  /** The session, once the hello was answered. */
  #session: MuxSession | null = null;
  /** The version of links that both ends speak; 0: there was no link. */
  #version = 0;
  #isLocal = false;
  #downSince = performance.now();
  #isReported = false;
  #end: ((code: ErrorCode, reason: string) => void) | null = null;

  constructor(options: LinkPeerOptions) {
    this.#options = options;
    this.incarnation = options.node.incarnation;
    this.region = options.node.region;
  }

  get node(): LinkNode {
    return this.#options.node;
  }

  get isUp(): boolean {
    return this.#session !== null;
  }

  /** The version of links that both ends speak; 0: there was no link. */
  get version(): number {
    return this.#version;
  }

  get isOnThisMachine(): boolean {
    return this.#isLocal;
  }

  open(type: LinkStream, handler: StreamHandler, first: Uint8Array): MuxStream | null {
    const session = this.#session;
    if (session === null || !isKnownTo(this.#version, type)) return null;
    if (type !== LinkStream.hop) return session.open(onWire(type), handler, first);
    const stream = session.open(onWire(type), handler, first.subarray(0, FIRST_BYTES), true);
    if (stream === null) return null;
    session.narrow(stream);
    if (first.length > FIRST_BYTES) stream.write(first.subarray(FIRST_BYTES));
    return stream;
  }

  async call(type: LinkStream, body: object, timeoutMs?: number): Promise<unknown> {
    if (this.#session === null)
      throw new WireError(ErrorCode.sessionClosed, 'there is no link to the other daemon');
    if (!isKnownTo(this.#version, type))
      throw new WireError(
        ErrorCode.streamRefused,
        'the other daemon is of an older version without the call',
      );
    return await call<unknown>(this.#session, onWire(type), body, timeoutMs);
  }

  /** Begins to dial. Call once. */
  start(): void {
    void this.#run();
  }

  /** Dials anew, because this daemon has another incarnation. */
  renew(): void {
    this.#end?.(ErrorCode.none, 'this daemon has another incarnation');
  }

  /** Closes the link for good. */
  stop(reason: string): void {
    this.#stopped.abort();
    this.#end?.(ErrorCode.none, reason);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    const { retryMs, longestRetryMs } = this.#options.times;
    let wait = retryMs;
    while (!signal.aborted) {
      try {
        if (await this.#serve()) wait = retryMs;
      } catch (error) {
        if (signal.aborted) return;
        this.#failed(error);
        // A process never changes its version.
        if (error instanceof VersionError) return;
      }
      await pause(wait, undefined, { signal, ref: false }).catch(() => {});
      wait = Math.min(2 * wait, longestRetryMs);
    }
  }

  /** Resolves when the link has been up and is down again. Rejects if it did not come up. */
  async #serve(): Promise<boolean> {
    const { node, identity, own, times } = this.#options;
    const incarnation = own();
    if (incarnation === null) return false;
    const { signal } = this.#stopped;
    const dialled = await dial(node, { identity, incarnation, timeoutMs: times.helloMs, signal });
    const over = Promise.withResolvers<void>();
    const session = this.#open(dialled, () => {
      // Before its streams end, so that their owners find no link any more.
      this.#down();
      over.resolve();
    });
    this.#end = (code, reason) => session.goAway(code, reason);
    if (signal.aborted || own() !== incarnation) this.renew();
    try {
      await this.#greet(session, incarnation);
      if (session.isClosed) return false;
      this.#up(session, dialled);
      await over.promise;
      return true;
    } catch (error) {
      session.goAway(ErrorCode.protocol, 'the hello failed');
      throw error;
    } finally {
      this.#end = null;
      this.#down();
    }
  }

  #open({ socket }: Dialled, closed: () => void): MuxSession {
    const { queued } = this.#options;
    return new MuxSession(socket, {
      role: 'client',
      maxStreams: 1,
      openLimit: STREAMS,
      queued: queuedBytes(queued),
      // The accepting end opens heartbeats only.
      accept: (type, stream) => {
        if (type === StreamType.heartbeat) echoHeartbeat(stream);
        else stream.reset(ErrorCode.streamRefused);
      },
      closed,
    });
  }

  async #greet(session: MuxSession, incarnation: number): Promise<void> {
    const own = helloOf(incarnation);
    const answer = await call<unknown>(session, LinkStream.hello, own, this.#options.times.helloMs);
    const hello = parseHello(answer);
    if (hello === null) throw new Error('its answer is no hello');
    if (hello.incarnation !== this.incarnation) throw new Error('another daemon has its address');
    const version = commonVersion(own, hello);
    if (version === null) throw new VersionError(mismatch(own, hello) ?? '');
    this.#version = version;
  }

  #up(session: MuxSession, { isLocal }: Dialled): void {
    const { times, changed, log } = this.#options;
    watchSilence(session, times.silentMs, () =>
      session.goAway(ErrorCode.sessionClosed, `nothing came for ${times.silentMs / 1000} s`),
    );
    this.#session = session;
    this.#isLocal = isLocal;
    if (this.#isReported) log.info(this.#named(), 'the link to another daemon is up');
    this.#isReported = false;
    changed(this);
  }

  #down(): void {
    if (this.#session === null) return;
    this.#session = null;
    this.#downSince = performance.now();
    if (!this.#stopped.signal.aborted) this.#options.changed(this);
  }

  #failed(error: unknown): void {
    const isLong = performance.now() - this.#downSince >= this.#options.times.reportMs;
    if (this.#isReported || !(isLong || error instanceof VersionError)) return;
    this.#isReported = true;
    this.#options.log.warn(
      { ...this.#named(), err: error },
      'no link to another daemon: visitors here do not reach its tunnels',
    );
  }

  #named() {
    const { name, machine, link } = this.#options.node;
    return { other: name, incarnation: this.incarnation, machine, ...link };
  }
}
