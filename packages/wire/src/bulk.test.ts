/** Bulk transfers through all layers: a stream's windows, the session's socket, the receiver's socket. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { propertyRuns } from '../../../test/harness/property-runs.ts';
import { inTime } from '../../../test/harness/until.ts';
import { ErrorCode, StreamType } from './codes.ts';
import { GatheredWrites } from './gathered-writes.ts';
import type { MuxStream, StreamHandler } from './mux-stream.ts';
import { readsIntoOneBuffer, socketPair, until, watch } from './test-peers.fixture.ts';

interface Piece {
  readonly size: number;
  readonly times: number;
  /** The piece is sent with `writeCopy`, from a buffer that changes afterwards. */
  readonly isCopied: boolean;
  /** Turns of the event loop that the sender rests afterwards. */
  readonly turns: number;
}

interface Reader {
  readonly highWaterMark: number;
  /** The receiver keeps no chunk, and writes with `writeCopy`. */
  readonly isCopied: boolean;
  /** Turns of the event loop that each write takes, one entry for each write. */
  readonly turns: readonly number[];
}

interface Transfer {
  readonly pieces: readonly Piece[];
  readonly reader: Reader;
}

/** Sizes around the limits: copied, gathered, one frame, half a window, a window. */
const marks = [1, 2, 4096, 8192, 16_384, 32_768, 65_536, 131_072, 262_144];
const size = fc
  .tuple(fc.constantFrom(...marks), fc.integer({ min: -9, max: 9 }))
  .map(([mark, off]) => Math.max(1, mark + off));
const piece: fc.Arbitrary<Piece> = fc.record({
  size,
  times: fc.integer({ min: 1, max: 3 }),
  isCopied: fc.boolean(),
  turns: fc.constantFrom(0, 0, 0, 1, 3),
});
const crumbs: fc.Arbitrary<Piece> = fc.record({
  size: fc.integer({ min: 1, max: 40 }),
  times: fc.integer({ min: 100, max: 400 }),
  isCopied: fc.boolean(),
  turns: fc.constantFrom(0, 1),
});
const transfer: fc.Arbitrary<Transfer> = fc.record({
  pieces: fc.array(fc.oneof({ weight: 3, arbitrary: piece }, { weight: 1, arbitrary: crumbs }), {
    minLength: 1,
    maxLength: 12,
  }),
  reader: fc.record({
    highWaterMark: fc.constantFrom(1, 16_384, 262_144),
    isCopied: fc.boolean(),
    turns: fc.array(fc.constantFrom(0, 0, 1, 5), { minLength: 1, maxLength: 4 }),
  }),
});

/** Forwards a stream to a socket whose reader is slow, as visitors and upstreams are. */
class Forwarding implements StreamHandler {
  readonly keepsNoChunk: boolean;
  readonly socket: Writable;
  readonly #chunks: Buffer[] = [];
  readonly #stream: MuxStream;
  readonly #writes: GatheredWrites;

  constructor(stream: MuxStream, { highWaterMark, turns, isCopied }: Reader) {
    this.keepsNoChunk = isCopied;
    let writes = 0;
    const read = async (chunks: readonly Buffer[], done: () => void): Promise<void> => {
      // The bytes are read only now, so that a reused buffer would show.
      for (let left = turns[writes++ % turns.length]!; left > 0; left--) await turn();
      this.#chunks.push(...chunks.map((chunk) => Buffer.from(chunk)));
      done();
    };
    this.#stream = stream;
    this.socket = new Writable({
      highWaterMark,
      write: (chunk: Buffer, _encoding, done) => void read([chunk], done),
      writev: (chunks, done) =>
        void read(
          chunks.map(({ chunk }) => chunk as Buffer),
          done,
        ),
    });
    this.#writes = new GatheredWrites(this.socket, () => stream.resume());
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
  data(chunk: Buffer): void {
    const hasRoom = this.keepsNoChunk ? this.#writes.writeCopy(chunk) : this.#writes.write(chunk);
    if (!hasRoom) this.#stream.pause();
  }
  end(): void {
    this.#writes.flush();
    this.socket.end();
    this.#stream.end();
  }
  drain(): void {}
  close(): void {}
}

class Sender implements StreamHandler {
  #wake: (() => void) | null = null;

  /** Returns what it sent. */
  async send(stream: MuxStream, pieces: readonly Piece[]): Promise<Buffer> {
    const sent: Buffer[] = [];
    for (const { size, times, isCopied, turns } of pieces) {
      for (let left = times; left > 0; left--) {
        const bytes = randomBytes(size);
        sent.push(Buffer.from(bytes));
        const hasRoom = isCopied ? stream.writeCopy(bytes) : stream.write(bytes);
        if (isCopied) bytes.fill(0);
        if (!hasRoom) await new Promise<void>((resolve) => (this.#wake = resolve));
      }
      for (let left = turns; left > 0; left--) await turn();
    }
    stream.end();
    return Buffer.concat(sent);
  }
  drain(): void {
    this.#wake?.();
  }
  close(): void {
    this.#wake?.();
  }
  data(): void {}
  end(): void {}
}

/** `isOneBuffer`: the receiving session reads into one buffer. */
async function carry(t: TestContext, isOneBuffer: boolean, transfers: readonly Transfer[]): Promise<void> {
  const readers: Forwarding[] = [];
  const [near, far] = await socketPair(t);
  const client = watch(near, 'client');
  watch(far, 'server', {
    ...(isOneBuffer ? { reads: readsIntoOneBuffer(far) } : {}),
    accept: (_type, stream) => {
      const reader = new Forwarding(stream, transfers[readers.length]!.reader);
      readers.push(reader);
      stream.handler = reader;
    },
  });
  const sent = await inTime(
    Promise.all(
      transfers.map(({ pieces }) => {
        const sender = new Sender();
        return sender.send(client.session.open(StreamType.proxy, sender)!, pieces);
      }),
    ),
    () => 'room for all that is sent',
  );
  await until(() => readers.length === transfers.length, 'every stream');
  for (const [index, reader] of readers.entries()) {
    if (!reader.socket.writableFinished)
      await inTime(once(reader.socket, 'finish'), () => `the end of stream ${index}`);
    assert.ok(reader.bytes.equals(sent[index]!), `stream ${index} brought what was not sent`);
  }
  client.session.goAway(ErrorCode.none);
}

test('whatever is written in pieces of any size comes as it was, to readers of any speed', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(transfer, { minLength: 1, maxLength: 3 }),
      (isOneBuffer, transfers) => carry(t, isOneBuffer, transfers),
    ),
    { numRuns: propertyRuns(60), endOnFailure: true },
  );
});
