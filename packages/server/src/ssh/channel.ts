/**
 * A channel of an SSH connection as a stream (RFC 4254, section 5): windows, half-closes, and its end.
 * Invariant: unread data of a peer is at most one window, and data that it sent before its close is not lost.
 */
import { ErrorCode, noopHandler, ReceiveBuffer, type StreamHandler } from '@underpass/wire';
import type { ErrorName } from '../errors/catalogue.ts';
import type { DialFault } from '../errors/dial-fault.ts';
import { uint32 } from '../pki/ssh/index.ts';
import { Message } from './numbers.ts';
import { faultOfRefusal } from './refusal-fault.ts';
import { SshError } from './ssh-error.ts';

export const windowBytes = 512 * 1024;
export const packetBytes = 32 * 1024;
/** The window grows again in portions of at least this much. */
const creditBytes = windowBytes / 4;
/** Bytes that a channel queues while it cannot send. */
const queueBytes = 64 * 1024;
/** Each piece takes up memory of its own, however small it is. */
const queuePieces = 64;
/** A sender of pieces of this size usually has more: TLS delivers half of a packet's size at a time. */
const largeBytes = 8 * 1024;
/** A peer that takes less in a packet makes each byte cost too much. */
const leastPacketBytes = 1024;
const largestWindow = 2 ** 32 - 1;

/** The part of a connection that a channel uses. */
export interface ChannelLink {
  send(...parts: readonly Buffer[]): void;
  /** True if sends that can wait should wait. */
  readonly isCongested: boolean;
  /** Registers the channel for a call after the congestion of the connection. */
  wait(channel: Channel): void;
  /** Both sides have closed it: its number means nothing any more. */
  release(channel: Channel): void;
}

/** Properties of the channel's other side. */
export interface ChannelPeer {
  readonly id: number;
  readonly window: number;
  readonly packetBytes: number;
}

export class Channel {
  /** Id on this side. */
  readonly id: number;
  /** Set when the peer does not open the channel. */
  failure?: ErrorName;
  dialFault?: DialFault;
  readonly #link: ChannelLink;
  #peer: ChannelPeer | null = null;
  #handler: StreamHandler = noopHandler;
  #closed = false;

  #sendWindow = 0;
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  /** The pieces of this turn leave together. */
  #isGathering = false;
  #needDrain = false;
  #ending = false;
  #wantsNothing = false;
  #eofSent = false;
  #closeSent = false;

  /** Bytes that the peer may still send. */
  #receiveWindow = windowBytes;
  readonly #unread = new ReceiveBuffer();
  #paused = false;
  #peerEnded = false;
  #peerClosed = false;
  #endTold = false;
  #wakeScheduled = false;

  constructor(id: number, link: ChannelLink) {
    this.id = id;
    this.#link = link;
  }

  get handler(): StreamHandler {
    return this.#handler;
  }

  set handler(handler: StreamHandler) {
    this.#handler = handler;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get writableNeedDrain(): boolean {
    if (this.#closed || this.#ending) return false;
    return (
      this.#queuedBytes >= queueBytes ||
      this.#queue.length >= queuePieces ||
      (this.#queuedBytes > 0 && this.#peer !== null && !this.#isGathering) ||
      this.#link.isCongested
    );
  }

  write(chunk: Uint8Array): boolean {
    if (this.#closed || this.#ending || chunk.length === 0) return true;
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.length;
    if (chunk.length >= largeBytes) this.#gather();
    if (!this.#isGathering) this.serve();
    this.#needDrain ||= this.writableNeedDrain;
    if (this.#needDrain && this.#link.isCongested) this.#link.wait(this);
    return !this.#needDrain;
  }

  end(): void {
    if (this.#closed || this.#ending) return;
    this.#ending = true;
    this.serve();
  }

  /** Ends the output, and closes after it. The peer may not know yet that the channel has ended. */
  finish(): void {
    this.#wantsNothing = true;
    this.end();
  }

  reset(code: ErrorCode): void {
    if (this.#closed) return;
    if (this.#isGathering && this.#peer !== null) this.#sendQueued(this.#peer);
    this.#close(code === ErrorCode.none ? ErrorCode.streamReset : code);
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#scheduleWake();
  }

  // From here on: what the connection calls.

  /** The peer's side of the channel; null until it has confirmed the channel. */
  get peer(): ChannelPeer | null {
    return this.#peer;
  }

  /** The channel is open on both sides. Raises SshError. */
  confirmed(peer: ChannelPeer): void {
    if (this.#peer !== null) throw new SshError('a channel was confirmed twice');
    this.#peer = peer;
    this.#sendWindow = peer.window;
    if (peer.packetBytes < leastPacketBytes) this.#close(ErrorCode.protocol);
    if (this.#closed) this.#sendClose();
    else this.serve();
  }

  /** Raises SshError. */
  receive(data: Buffer): void {
    if (data.length > this.#receiveWindow) throw new SshError('a channel got more than its window');
    this.#receiveWindow -= data.length;
    // The owner wants nothing more, and its channel is being closed.
    if (this.#closed || this.#peerEnded) return;
    if (this.#paused || this.#unread.length > 0) {
      this.#unread.push(data);
      return;
    }
    this.#tell(() => this.#handler.data(data));
    this.#returnCredit();
  }

  receiveEnd(): void {
    this.#peerEnded = true;
    this.#tellEnd();
  }

  /** The last that comes from the peer. */
  receiveClose(): void {
    this.#peerClosed = true;
    this.#sendClose();
    this.#releaseIfOver();
    this.#tellEnd();
  }

  /** Raises SshError. */
  addCredit(bytes: number): void {
    if (this.#sendWindow + bytes > largestWindow) throw new SshError('the window of a channel is too large');
    this.#sendWindow += bytes;
    this.serve();
  }

  /** The peer does not open the channel: where it was to lead is not reached. */
  refused(description: string): void {
    this.failure = 'upstreamUnreachable';
    this.dialFault = faultOfRefusal(description);
    this.lost(ErrorCode.streamRefused);
  }

  /** The connection is gone. */
  lost(code: ErrorCode): void {
    this.#closeSent = true;
    this.#peerClosed = true;
    if (!this.#closed) this.#close(code);
    else this.#releaseIfOver();
  }

  /** Sends what can be sent. */
  serve(): void {
    if (this.#closed || this.#peer === null) return;
    this.#sendQueued(this.#peer);
    if (this.#queue.length > 0) {
      if (this.#sendWindow > 0) this.#link.wait(this);
    } else if (this.#ending) this.#sendEof(this.#peer);
    else if (this.#needDrain) this.#tellDrain();
  }

  #tellDrain(): void {
    if (this.#link.isCongested) {
      this.#link.wait(this);
      return;
    }
    this.#needDrain = false;
    this.#tell(() => this.#handler.drain());
  }

  /** Invariant: a small piece that comes alone does not wait for the rest of the turn. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    setImmediate(() => {
      this.#isGathering = false;
      this.serve();
    });
  }

  #sendQueued({ id, packetBytes: theirs }: ChannelPeer): void {
    while (this.#queue.length > 0 && this.#sendWindow > 0 && !this.#link.isCongested) {
      const length = Math.min(this.#queuedBytes, this.#sendWindow, theirs, packetBytes);
      this.#sendWindow -= length;
      const pieces = this.#take(length);
      this.#link.send(Buffer.of(Message.channelData), uint32(id), uint32(length), ...pieces);
    }
  }

  /** The oldest bytes of the queue, which has as many. */
  #take(length: number): readonly Buffer[] {
    const pieces: Buffer[] = [];
    this.#queuedBytes -= length;
    for (let left = length; left > 0; ) {
      const [chunk = new Uint8Array(0)] = this.#queue;
      const size = Math.min(chunk.length, left);
      if (size === chunk.length) this.#queue.shift();
      else this.#queue[0] = chunk.subarray(size);
      pieces.push(Buffer.from(chunk.buffer, chunk.byteOffset, size));
      left -= size;
    }
    return pieces;
  }

  #sendEof({ id }: ChannelPeer): void {
    if (this.#eofSent) return;
    this.#eofSent = true;
    this.#link.send(Buffer.of(Message.channelEof), uint32(id));
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#closed) return;
    if (this.#eofSent && (this.#endTold || this.#wantsNothing)) this.#close(ErrorCode.none);
    // The peer has closed the channel, so queued data cannot be sent any more.
    else if (this.#endTold && this.#peerClosed) this.#close(ErrorCode.streamReset);
  }

  #close(code: ErrorCode): void {
    this.#closed = true;
    this.#queue = [];
    this.#queuedBytes = 0;
    while (this.#unread.shift() !== undefined);
    this.#sendClose();
    this.#releaseIfOver();
    this.#tell(() => this.#handler.close(code));
  }

  #sendClose(): void {
    if (this.#closeSent || this.#peer === null) return;
    this.#closeSent = true;
    this.#link.send(Buffer.of(Message.channelClose), uint32(this.#peer.id));
  }

  #releaseIfOver(): void {
    if (this.#closeSent && this.#peerClosed) this.#link.release(this);
  }

  /** Later, so that no owner is called from within its own call. */
  #scheduleWake(): void {
    if (this.#wakeScheduled) return;
    this.#wakeScheduled = true;
    queueMicrotask(() => {
      this.#wakeScheduled = false;
      while (this.#unread.length > 0 && !this.#paused && !this.#closed) {
        const chunk = this.#unread.shift();
        if (chunk !== undefined) this.#tell(() => this.#handler.data(chunk));
      }
      this.#returnCredit();
      this.#tellEnd();
    });
  }

  /** Bytes that the owner has taken and the peer has not got back. */
  #returnCredit(): void {
    if (this.#paused || this.#closed || this.#peerEnded || this.#peerClosed || this.#peer === null) return;
    const credit = windowBytes - this.#receiveWindow - this.#unread.length;
    if (credit < creditBytes) return;
    this.#receiveWindow += credit;
    this.#link.send(Buffer.of(Message.channelWindowAdjust), uint32(this.#peer.id), uint32(credit));
  }

  /** A peer that closed has ended, too. Its data is delivered first. */
  #tellEnd(): void {
    if (this.#paused || this.#closed || this.#unread.length > 0) return;
    if (this.#peerEnded && !this.#endTold) {
      this.#endTold = true;
      this.#tell(() => this.#handler.end());
    }
    if (this.#peerClosed && !this.#peerEnded) this.reset(ErrorCode.streamReset);
    else this.#closeIfDone();
  }

  /** An owner that throws loses its channel, not the connection. */
  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
      this.reset(ErrorCode.internal);
    }
  }
}

/** A channel's number and what its window and packets are, as they are sent when it is opened. */
export function ownSide(id: number): readonly Buffer[] {
  return [uint32(id), uint32(windowBytes), uint32(packetBytes)];
}
