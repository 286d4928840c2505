/**
 * The links of a daemon to all others of its database. Each daemon dials every other one and opens streams on that
 * link; the other end accepts them. So there are two links for each pair of daemons.
 * Invariant: a stream from a link comes from a daemon of this database.
 */
import { answer, ByteBudget, ErrorCode, type MuxStream } from '@underpass/wire';
import type { Logger } from 'pino';
import type { ListenAddress } from '../core/settings.ts';
import { AcceptedLinks } from './accepted.ts';
import { ownVersions } from './hello.ts';
import { type LinkAuthority, LinkIdentity } from './identity.ts';
import { CALL_BYTES_IN_ALL, QUEUED_BYTES_IN_ALL } from './limits.ts';
import { LinkPeer } from './link-peer.ts';
import { type LinkListener, listenLocally, TlsListener } from './listeners.ts';
import type { LinkFacts, LinkNode } from './node-facts.ts';
import type { LinkStream, Peer, Peers } from './peers.ts';
import { type LinkTimes, linkTimes } from './silence.ts';

export interface LinksOptions {
  /** Loads the local CA of the database. Called with the first certificate. */
  readonly authority: () => Promise<LinkAuthority>;
  /** The listener for other machines; null: none. */
  readonly listen: ListenAddress | null;
  /** The address of that listener for other daemons, `HOST:PORT`; null: that of `listen`. */
  readonly address: string | null;
  readonly log: Logger;
  readonly times?: LinkTimes;
  /** The folder of the socket's own folder; default the system's temporary folder. */
  readonly base?: string;
  /** The folder to use if `base` cannot be written; default none. */
  readonly spare?: string;
}

type Accept = (stream: MuxStream, from: number) => void;
type Respond = (body: unknown, from: number) => unknown;

/** Milliseconds for peers to close their ends after GOAWAY. */
const LINGER_MS = 500;
const STOPPING = 'this daemon is stopping';

export class Links implements Peers {
  readonly #options: LinksOptions;
  readonly #identity: LinkIdentity;
  readonly #peers = new Map<number, LinkPeer>();
  readonly #accepted: AcceptedLinks;
  readonly #streams = new Map<number, Accept>();
  readonly #calls = new Map<number, Respond>();
  readonly #changed: ((peer: Peer) => void)[] = [];
  readonly #queued = new ByteBudget(QUEUED_BYTES_IN_ALL);
  readonly #callBytes = new ByteBudget(CALL_BYTES_IN_ALL);
  #local: (LinkListener & { readonly path: string }) | null = null;
  #tls: TlsListener | null = null;
  #incarnation: number | null = null;
  #isStopped = false;

  constructor(options: LinksOptions) {
    this.#options = options;
    this.#identity = new LinkIdentity(options.authority, Date.now);
    this.#accepted = new AcceptedLinks({
      own: () => this.#incarnation,
      serve: (type, stream, from) => this.#serve(type, stream, from),
      times: this.#times,
      queued: this.#queued,
    });
  }

  /** Begins to listen. Rejects with ListenError. */
  async start(): Promise<void> {
    const { listen, base, spare, log } = this.#options;
    try {
      this.#local = await listenLocally(this.#accepted, base, spare);
    } catch (error) {
      // With a listener for other machines, it serves those on this one, too.
      const level = listen === null ? 'warn' : 'info';
      log[level]({ err: error }, 'no socket for other daemons on this machine: use --link-listen');
    }
    try {
      if (listen !== null) this.#tls = await TlsListener.start(listen, this.#identity, this.#accepted);
    } catch (error) {
      await this.#local?.close();
      throw error;
    }
  }

  /** The incarnation of this daemon; null: it has not joined. */
  get incarnation(): number | null {
    return this.#incarnation;
  }

  /** Facts for the row of this daemon. Call it after `start`. */
  get facts(): LinkFacts {
    return { socket: this.#local?.path ?? null, address: this.#address(), versions: ownVersions };
  }

  /** Takes the incarnation of this daemon, which changes if it was declared dead. */
  joined(incarnation: number): void {
    const isFirst = this.#incarnation === null;
    this.#incarnation = incarnation;
    this.#prove();
    if (isFirst) return;
    for (const peer of this.#peers.values()) peer.renew();
    this.#accepted.goAway('this daemon has another incarnation');
  }

  /** Takes all other daemons that live, as the directory has them. Call it at every renewal. */
  follow(nodes: readonly LinkNode[]): void {
    if (this.#isStopped) return;
    // Certificates are renewed before their end.
    this.#prove();
    const living = new Set(nodes.map(({ incarnation }) => incarnation));
    this.#accepted.follow(living);
    for (const [incarnation, peer] of this.#peers) if (!living.has(incarnation)) this.#remove(peer);
    for (const node of nodes) if (!this.#peers.has(node.incarnation)) this.#add(node);
  }

  get(incarnation: number): Peer | undefined {
    return this.#peers.get(incarnation);
  }

  all(): Iterable<Peer> {
    return this.#peers.values();
  }

  onChange(changed: (peer: Peer) => void): void {
    this.#changed.push(changed);
  }

  serve(type: LinkStream, accept: Accept): void {
    this.#streams.set(type, accept);
  }

  answer(type: LinkStream, respond: Respond): void {
    this.#calls.set(type, respond);
  }

  /** Sends GOAWAY on all links, and ends the listeners. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const peer of this.#peers.values()) peer.stop(STOPPING);
    this.#peers.clear();
    const closed = Promise.all([this.#local?.close(), this.#tls?.close()]);
    const sockets = this.#accepted.goAway(STOPPING);
    const late = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, LINGER_MS);
    await closed;
    clearTimeout(late);
  }

  get #times(): LinkTimes {
    return this.#options.times ?? linkTimes;
  }

  #address(): string | null {
    const { listen, address } = this.#options;
    if (this.#tls === null || listen === null) return null;
    const { host } = listen;
    return address ?? `${host.includes(':') ? `[${host}]` : host}:${this.#tls.port}`;
  }

  #prove(): void {
    if (this.#incarnation === null) return;
    this.#tls?.prove(this.#incarnation).catch((error: unknown) => {
      this.#options.log.warn(
        { err: error },
        'no certificate for links: other machines cannot reach this daemon',
      );
    });
  }

  #add(node: LinkNode): void {
    if (node.incarnation === this.#incarnation) return;
    const peer = new LinkPeer({
      ...{ node, identity: this.#identity, queued: this.#queued, times: this.#times, log: this.#options.log },
      own: () => this.#incarnation,
      changed: (changed) => this.#notify(changed),
    });
    this.#peers.set(node.incarnation, peer);
    peer.start();
  }

  #remove(peer: LinkPeer): void {
    this.#peers.delete(peer.incarnation);
    peer.stop('this daemon was declared dead');
    this.#notify(peer);
  }

  #notify(peer: Peer): void {
    for (const changed of this.#changed) changed(peer);
  }

  #serve(type: number, stream: MuxStream, from: number): void {
    const accept = this.#streams.get(type);
    const respond = this.#calls.get(type);
    if (accept !== undefined) accept(stream, from);
    else if (respond !== undefined)
      answer(stream, (body) => respond(body, from), { budget: this.#callBytes });
    else stream.reset(ErrorCode.streamRefused);
  }
}
