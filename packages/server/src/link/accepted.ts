/**
 * Links that other daemons have opened to this one.
 * Invariant: before its hello, a connection can do nothing but greet, and only for a limited time.
 */
import type { Socket } from 'node:net';
import {
  answer,
  type ByteBudget,
  type Deadline,
  deadline,
  ErrorCode,
  echoHeartbeat,
  MuxSession,
  type MuxStream,
  StreamType,
} from '@underpass/wire';
import { commonVersion, type Hello, helloOf, parseHello } from './hello.ts';
import { queuedBytes, STREAMS, UNGREETED } from './limits.ts';
import { LinkStream } from './peers.ts';
import { type LinkTimes, watchSilence } from './silence.ts';

export interface AcceptedOptions {
  /** The incarnation of this daemon; null: it has not joined. */
  readonly own: () => number | null;
  /** Serves a stream of a daemon that has greeted. */
  readonly serve: (type: number, stream: MuxStream, from: number) => void;
  readonly times: LinkTimes;
  readonly queued: ByteBudget;
}

/** Streams and bytes of a connection that has not greeted: the hello and a heartbeat. */
const BEFORE_HELLO = { maxStreams: 2, bytes: 4_096 };

interface Accepted {
  readonly session: MuxSession;
  /** The socket of its arrival. */
  readonly carrier: Socket;
  /** The daemon that has greeted. */
  from: number | null;
  /** The daemon is alive, or was not known yet, by the last list. */
  isKnown: boolean;
}

export class AcceptedLinks {
  readonly #options: AcceptedOptions;
  readonly #links = new Set<Accepted>();
  /** Connections that have not greeted, oldest first. */
  readonly #ungreeted = new Map<Socket, Deadline>();

  constructor(options: AcceptedOptions) {
    this.#options = options;
  }

  /** Connections of both kinds. */
  get size(): number {
    return this.#links.size + this.#ungreeted.size;
  }

  /** Counts a new connection, before any handshake. It must greet in time. */
  arrived(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    const [oldest] = this.#ungreeted.size >= UNGREETED ? this.#ungreeted.keys() : [];
    oldest?.destroy();
    const late = deadline(this.#options.times.helloMs, () => socket.destroy());
    this.#ungreeted.set(socket, late);
    socket.once('close', () => this.#forget(socket));
  }

  /** Serves a connection that has arrived. `carrier`: its socket at the arrival. `proven`: null for a Unix socket. */
  take(socket: Socket, carrier: Socket, proven: number | null): void {
    const { queued } = this.#options;
    const session = new MuxSession(socket, {
      role: 'server',
      maxStreams: BEFORE_HELLO.maxStreams,
      queued: queuedBytes(queued),
      accept: (type, stream) => this.#accept(link, type, stream, proven),
      closed: () => this.#links.delete(link),
    });
    const link: Accepted = { session, carrier, from: null, isKnown: true };
  }

  /** Closes links of daemons that were in neither this list of living ones nor the one before. */
  follow(living: ReadonlySet<number>): void {
    for (const link of this.#links) {
      const { session, from } = link;
      if (from !== null && living.has(from)) link.isKnown = true;
      else if (link.isKnown) link.isKnown = false;
      else session.goAway(ErrorCode.none, 'this daemon was declared dead');
    }
  }

  /** Sends GOAWAY on all links. Returns their sockets, which peers close. */
  goAway(reason: string): readonly Socket[] {
    const links = [...this.#links];
    for (const { session } of links) session.goAway(ErrorCode.none, reason);
    for (const socket of [...this.#ungreeted.keys()]) socket.destroy();
    return links.map(({ carrier }) => carrier);
  }

  #forget(socket: Socket): void {
    this.#ungreeted.get(socket)?.met();
    this.#ungreeted.delete(socket);
  }

  #accept(link: Accepted, type: number, stream: MuxStream, proven: number | null): void {
    const { session, from } = link;
    if (type === StreamType.heartbeat) echoHeartbeat(stream);
    else if (from !== null) {
      if (type === LinkStream.hop) session.narrow(stream);
      this.#options.serve(type, stream, from);
    } else if (type === LinkStream.hello) {
      const respond = (body: unknown) => this.#greeted(link, parseHello(body), proven);
      answer(stream, respond, { maxBytes: BEFORE_HELLO.bytes });
    } else stream.reset(ErrorCode.streamRefused);
  }

  #greeted(link: Accepted, hello: Hello | null, proven: number | null): Hello | null {
    const { session, carrier } = link;
    const incarnation = this.#options.own();
    if (incarnation === null || hello === null || (proven !== null && proven !== hello.incarnation)) {
      session.goAway(
        ErrorCode.protocol,
        incarnation === null ? 'this daemon has not joined' : 'not a valid hello',
      );
      return null;
    }
    const own = helloOf(incarnation);
    // The other end reads the versions, and closes the link. Until then nothing else is served.
    if (commonVersion(own, hello) === null) return own;
    this.#forget(carrier);
    link.from = hello.incarnation;
    this.#links.add(link);
    const { times, queued } = this.#options;
    session.allow({ maxStreams: STREAMS, queued: queuedBytes(queued) });
    watchSilence(session, times.silentMs, () =>
      session.goAway(ErrorCode.sessionClosed, `nothing came for ${times.silentMs / 1000} s`),
    );
    return own;
  }
}
