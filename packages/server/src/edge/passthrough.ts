/**
 * A TLS connection that goes through to an agent unopened.
 * In: a socket whose hello was put back, and tunnels that could take it. Out: its bytes, both ways. What may change here: which
 * tunnel is tried next; never what the bytes are.
 */
import type { Socket } from 'node:net';
import { ErrorCode, type MuxStream, resetSocket, type StreamHandler } from '@underpass/wire';
import { ipOf, sourceKey } from '../core/client-address.ts';
import type { Hostname } from '../core/hostname.ts';
import type { LiveTunnel, ProxyConnection } from '../tunnels/online.ts';
import { refusesSource } from './modules/ip-restriction.ts';
import type { Share, SourceShares } from './source-shares.ts';
import { Stall } from './stall.ts';
import type { Target } from './target.ts';

export interface PassthroughRequest {
  readonly socket: Socket;
  readonly clientAddr: string;
  readonly hostname: Hostname;
  readonly target: Target;
  /** In the order to try them. */
  readonly tunnels: readonly LiveTunnel[];
  /** Told each tunnel that took it; the last one has it. */
  readonly opened: (tunnel: LiveTunnel) => void;
  readonly shares: SourceShares;
  /** Frees a stream of an agent's session that nobody needs; false when there is none. */
  readonly makeRoom: (session: string) => boolean;
  /** Milliseconds for which it may stand still because one side does not read: who never reads must not hold a stream for ever. */
  readonly stallMs: number;
}

/** Enough for a hello and early data; beyond it an agent's late refusal ends the connection. */
const maxReplayBytes = 64 * 1024;

export class Passthrough implements StreamHandler {
  readonly hostname: Hostname;
  readonly #socket: Socket;
  readonly #connection: ProxyConnection;
  readonly #tunnels: readonly LiveTunnel[];
  readonly #opened: (tunnel: LiveTunnel) => void;
  readonly #shares: SourceShares;
  readonly #makeRoom: (session: string) => boolean;
  readonly #source: string;
  #share: Share | null = null;
  #target: Target;
  #next = 0;
  /** The tunnel in use, once there is one. */
  tunnel: LiveTunnel | null = null;
  #stream: MuxStream | null = null;
  /** What was sent while the agent had answered nothing, so that another agent can be tried; null when it no longer can. */
  #sent: Buffer[] | null = [];
  #sentBytes = 0;
  #corked = false;
  readonly #clientStall: Stall;
  readonly #agentStall: Stall;

  constructor({ socket, clientAddr, hostname, target, tunnels, stallMs, ...parts }: PassthroughRequest) {
    this.hostname = hostname;
    this.#target = target;
    this.#socket = socket;
    this.#tunnels = tunnels;
    this.#opened = parts.opened;
    this.#shares = parts.shares;
    this.#makeRoom = parts.makeRoom;
    this.#source = sourceKey(ipOf(clientAddr));
    this.#clientStall = new Stall(stallMs, () => this.destroy());
    this.#agentStall = new Stall(stallMs, () => this.destroy());
    this.#connection = { clientAddr, proto: 'tls', edgeType: target.edgeType, passthroughTls: true };
  }

  /** Connects to the first tunnel that takes it; false, with nothing done, when none does. */
  start(): boolean {
    if (!this.#open()) return false;
    const socket = this.#socket;
    socket.on('data', (chunk: Buffer) => this.#fromClient(chunk));
    socket.on('end', () => this.#stream?.end());
    socket.on('drain', () => {
      this.#clientStall.end();
      this.#stream?.resume();
    });
    socket.on('close', () => {
      this.#clientStall.end();
      this.#agentStall.end();
      this.#sent = null;
      this.#stream?.reset(ErrorCode.streamCancelled);
    });
    socket.resume();
    return true;
  }

  /** Whether it may go on under the target that its name leads to now: the same backend, and the visitor still allowed. */
  moveTo(target: Target | undefined): boolean {
    if (target === this.#target) return true;
    if (target === undefined || target.backend !== this.#target.backend || target.refusal !== null)
      return false;
    this.#target = target;
    return !refusesSource(target.sources, this.#connection.clientAddr);
  }

  /** Ends it at once, in both directions. */
  destroy(): void {
    resetSocket(this.#socket);
  }

  #open(): boolean {
    while (this.#next < this.#tunnels.length) {
      const tunnel = this.#tunnels[this.#next]!;
      this.#next += 1;
      const stream = this.#openOn(tunnel);
      if (stream === null) continue;
      this.tunnel = tunnel;
      this.#stream = stream;
      stream.handler = this;
      this.#opened(tunnel);
      return true;
    }
    return false;
  }

  /** As far as the visitor's address has not its share of that agent already. */
  #openOn(tunnel: LiveTunnel): MuxStream | null {
    const share = this.#shares.take(tunnel.session, this.#source);
    if (share === null) return null;
    const stream =
      tunnel.open(this.#connection) ??
      (this.#makeRoom(tunnel.session) ? tunnel.open(this.#connection) : null);
    if (stream === null) share.release();
    else this.#share = share;
    return stream;
  }

  #fromClient(chunk: Buffer): void {
    this.#remember(chunk);
    if (this.#stream?.write(chunk) === false) this.#hold();
  }

  #remember(chunk: Buffer): void {
    if (this.#sent === null) return;
    this.#sentBytes += chunk.length;
    if (this.#sentBytes > maxReplayBytes) this.#sent = null;
    else this.#sent.push(chunk);
  }

  data(chunk: Buffer): void {
    this.#sent = null;
    const socket = this.#socket;
    if (!this.#corked) {
      // All frames of one read of the tunnel leave as one write.
      this.#corked = true;
      socket.cork();
      process.nextTick(uncork, this);
    }
    if (!socket.write(chunk)) {
      this.#stream?.pause();
      this.#clientStall.begin();
    }
  }

  uncork(): void {
    this.#corked = false;
    this.#socket.uncork();
  }

  end(): void {
    this.#sent = null;
    this.#socket.end();
  }

  drain(): void {
    this.#agentStall.end();
    this.#socket.resume();
  }

  /** The agent has no room: the client waits. */
  #hold(): void {
    this.#socket.pause();
    this.#agentStall.begin();
  }

  close(code: ErrorCode): void {
    this.#stream = null;
    this.#share?.release();
    if (code === ErrorCode.none) {
      this.#socket.end();
      return;
    }
    if (!this.#socket.destroyed && this.#refusedUntouched(code) && this.#replay()) return;
    this.destroy();
  }

  /** Agent protocol, section 2: the agent did not begin, so that the connection may be given to another one. */
  #refusedUntouched(code: ErrorCode): boolean {
    return this.#sent !== null && (code === ErrorCode.streamRefused || code === ErrorCode.acceptQueueFull);
  }

  #replay(): boolean {
    const sent = this.#sent;
    if (sent === null || !this.#open()) return false;
    const stream = this.#stream!;
    let room = true;
    for (const chunk of sent) room = stream.write(chunk);
    if (this.#socket.readableEnded) stream.end();
    if (room) this.drain();
    else this.#hold();
    return true;
  }
}

function uncork(connection: Passthrough): void {
  connection.uncork();
}
