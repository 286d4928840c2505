/**
 * Receives a peer's frames, validates them and passes on their content.
 * Invariant: a frame is passed on only if its length and its place are valid. It is not between the pieces of a
 * header block or before the settings.
 */
import {
  Flag,
  type FrameHead,
  FrameReader,
  type FrameSink,
  FrameType,
  HeaderDecoder,
  type HeaderList,
  Http2Error,
  MAX_WINDOW,
} from '@underpass/wire/http2';
import { HeaderAssembly } from './header-assembly.ts';
import type { Http2Limits } from './limits.ts';
import { readSettings, type Settings } from './settings.ts';

/** Data, and the length of the frame with its padding. */
export interface DataFrame {
  readonly stream: number;
  readonly bytes: Buffer;
  readonly length: number;
  readonly ends: boolean;
}

/** Each answers false when nothing further is wanted. */
export interface IncomingUser {
  data(frame: DataFrame): boolean;
  headers(stream: number, list: HeaderList, ends: boolean): boolean;
  reset(stream: number, code: number): boolean;
  settings(settings: Settings): boolean;
  ping(payload: Buffer): boolean;
  windowGrew(stream: number, bytes: number): boolean;
  goAway(lastStream: number): boolean;
  /** Well-formed, and of no consequence: an acknowledgement, a priority, something unknown. */
  idle(): boolean;
  /** The connection is to end. */
  fail(code: number, reason: string): false;
}

export class Incoming implements FrameSink {
  readonly #user: IncomingUser;
  readonly #reader = new FrameReader(this);
  readonly #decoder: HeaderDecoder;
  readonly #assembly: HeaderAssembly;
  #hasSettings = false;

  constructor(user: IncomingUser, limits: Pick<Http2Limits, 'listBytes' | 'blockBytes' | 'continuations'>) {
    this.#user = user;
    this.#decoder = new HeaderDecoder(limits.listBytes);
    this.#assembly = new HeaderAssembly(limits);
  }

  /** A header block has begun, or the settings are due. */
  get isAwaiting(): boolean {
    return !this.#hasSettings || this.#assembly.open !== null;
  }

  read(bytes: Buffer): void {
    this.#reader.read(bytes);
  }

  frameTooLong(): void {
    this.#user.fail(Http2Error.frameSize, 'frame too long');
  }

  frame(head: FrameHead, payload: Buffer): boolean {
    const { type, stream, flags } = head;
    const user = this.#user;
    if (!this.#hasSettings && (type !== FrameType.settings || (flags & Flag.ack) !== 0)) {
      return user.fail(Http2Error.protocol, 'settings come first');
    }
    const { open } = this.#assembly;
    if (open !== null && (type !== FrameType.continuation || stream !== open.stream)) {
      return user.fail(Http2Error.protocol, 'header block interrupted');
    }
    const rule = RULES.get(type);
    if (rule === undefined) return user.idle();
    if (rule.isOfStream !== null && rule.isOfStream !== (stream !== 0)) {
      return user.fail(Http2Error.protocol, 'not for this stream');
    }
    if (rule.length !== null && rule.length !== payload.length) {
      return user.fail(Http2Error.frameSize, 'frame of another length');
    }
    return this.#read(head, payload);
  }

  #read({ type, flags, stream, length }: FrameHead, payload: Buffer): boolean {
    const user = this.#user;
    switch (type) {
      case FrameType.data: {
        const bytes = unpadded(payload, flags);
        if (bytes === null) return user.fail(Http2Error.protocol, 'padding');
        return user.data({ stream, bytes, length, ends: (flags & Flag.endStream) !== 0 });
      }
      case FrameType.headers:
        return this.#headers(stream, flags, payload);
      case FrameType.continuation:
        if (this.#assembly.open === null) return user.fail(Http2Error.protocol, 'CONTINUATION of nothing');
        return this.#addToBlock(payload, flags);
      case FrameType.rstStream:
        return user.reset(stream, payload.readUInt32BE());
      case FrameType.settings:
        return this.#settings(flags, payload);
      case FrameType.ping:
        return (flags & Flag.ack) !== 0 ? user.idle() : user.ping(payload);
      case FrameType.windowUpdate:
        return user.windowGrew(stream, payload.readUInt32BE() & MAX_WINDOW);
      case FrameType.goAway:
        if (length < 8) return user.fail(Http2Error.frameSize, 'GOAWAY');
        return user.goAway(payload.readUInt32BE() & MAX_WINDOW);
      case FrameType.priority:
        return dependsOn(payload) === stream ? this.#onItself() : user.idle();
      default:
        return user.fail(Http2Error.protocol, 'push is off');
    }
  }

  #onItself(): false {
    return this.#user.fail(Http2Error.protocol, 'a stream depends on itself');
  }

  #settings(flags: number, payload: Buffer): boolean {
    const user = this.#user;
    if ((flags & Flag.ack) !== 0) {
      return payload.length === 0 ? user.idle() : user.fail(Http2Error.frameSize, 'SETTINGS');
    }
    const settings = readSettings(payload);
    if (typeof settings === 'number') return user.fail(settings, 'SETTINGS');
    if (this.#hasSettings && !user.idle()) return false;
    this.#hasSettings = true;
    return user.settings(settings);
  }

  #headers(stream: number, flags: number, payload: Buffer): boolean {
    const block = unpadded(payload, flags);
    if (block === null) return this.#user.fail(Http2Error.protocol, 'padding');
    const hasPriority = (flags & Flag.priority) !== 0;
    if (hasPriority && block.length < PRIORITY_BYTES)
      return this.#user.fail(Http2Error.frameSize, 'priority');
    if (hasPriority && dependsOn(block) === stream) return this.#onItself();
    this.#assembly.begin({ stream, endsStream: (flags & Flag.endStream) !== 0 });
    return this.#addToBlock(hasPriority ? block.subarray(PRIORITY_BYTES) : block, flags);
  }

  #addToBlock(piece: Buffer, flags: number): boolean {
    const user = this.#user;
    if (!this.#assembly.add(piece)) return user.fail(Http2Error.enhanceYourCalm, 'header block too long');
    if ((flags & Flag.endHeaders) === 0) return true;
    const { stream, endsStream } = this.#assembly.open!;
    const list = this.#decoder.decode(this.#assembly.take());
    if (list === null) return user.fail(Http2Error.compression, 'header block');
    return user.headers(stream, list, endsStream);
  }
}

const PRIORITY_BYTES = 5;

interface Rule {
  /** Null: of either. */
  readonly isOfStream: boolean | null;
  /** Null: of any. */
  readonly length: number | null;
}

const RULES: ReadonlyMap<number, Rule> = new Map([
  [FrameType.data, { isOfStream: true, length: null }],
  [FrameType.headers, { isOfStream: true, length: null }],
  [FrameType.priority, { isOfStream: true, length: PRIORITY_BYTES }],
  [FrameType.rstStream, { isOfStream: true, length: 4 }],
  [FrameType.settings, { isOfStream: false, length: null }],
  [FrameType.pushPromise, { isOfStream: null, length: null }],
  [FrameType.ping, { isOfStream: false, length: 8 }],
  [FrameType.goAway, { isOfStream: false, length: null }],
  [FrameType.windowUpdate, { isOfStream: null, length: 4 }],
  [FrameType.continuation, { isOfStream: true, length: null }],
]);

function dependsOn(payload: Buffer): number {
  return payload.readUInt32BE() & MAX_WINDOW;
}

/** Null: there is more padding than frame. */
function unpadded(payload: Buffer, flags: number): Buffer | null {
  if ((flags & Flag.padded) === 0) return payload;
  const padding = payload[0];
  if (padding === undefined || padding >= payload.length) return null;
  return payload.subarray(1, payload.length - padding);
}
