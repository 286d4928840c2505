/**
 * Cells of consecutive slots as bytes: the seconds of a minute, the minutes of an hour, or the hours of a day. A slot
 * without traffic takes no byte, and a bucket or count of 0 hardly any.
 * Invariant: slots ascend, and what is read equals what was written.
 */
import { Cell, Count, MOST_ERRORS } from './cell.ts';
import { BUCKETS } from './latency.ts';
import { ByteReader, ByteWriter } from './varint.ts';

/** Slots of a block of seconds or minutes. A block of hours has 24. */
export const MOST_SLOTS = 60;
/** First character of a block's text: the format of the bytes after it. */
const FORMAT = '1';

/** Used within one call. A new cell costs more than all else that a block does. */
const sum = new Cell();

export class Block {
  readonly #writer = new ByteWriter();
  #last = -1;
  /** Length and slot before the last cell. */
  #before = { length: 0, slot: -1 };

  get isEmpty(): boolean {
    return this.#last < 0;
  }

  /** Adds a cell to a slot that is the last one or a later one. */
  add(slot: number, cell: Cell): void {
    if (slot === this.#last) {
      const reader = new ByteReader(this.bytes.subarray(this.#before.length));
      reader.number();
      sum.clear();
      readCell(reader, sum);
      sum.add(cell);
      this.#writer.length = this.#before.length;
      this.#last = this.#before.slot;
      this.#append(slot, sum);
    } else if (slot > this.#last) this.#append(slot, cell);
  }

  /** Removes all cells. */
  clear(): void {
    this.#writer.length = 0;
    this.#last = -1;
  }

  #append(slot: number, cell: Cell): void {
    this.#before = { length: this.#writer.length, slot: this.#last };
    this.#writer.number(slot - this.#last - 1);
    writeCell(this.#writer, cell);
    this.#last = slot;
  }

  /** The bytes so far, valid until the next cell. */
  get bytes(): Buffer {
    return this.#writer.bytes;
  }

  /** The text of the block, with a further cell if one is given, which is not kept. */
  text(further?: { readonly slot: number; readonly cell: Cell }): string {
    if (further === undefined) return textOf(this.bytes);
    const copy = new Block();
    for (const [slot, cell] of cellsOf(this.bytes)) copy.add(slot, cell);
    copy.add(further.slot, further.cell);
    return textOf(copy.bytes);
  }
}

export function textOf(bytes: Buffer): string {
  return FORMAT + bytes.toString('base64');
}

/** Returns the text of a block without durations and error codes, which are most of it. */
export function briefText(text: string): string {
  const block = new Block();
  for (const [slot, cell] of cellsOfText(text)) {
    cell.buckets.fill(0);
    cell.errors = null;
    block.add(slot, cell);
  }
  return block.text();
}

/** Yields the slots of a text with their cells; none if a newer program has written it. The cell is valid until the next one. */
export function cellsOfText(text: string): Iterable<[slot: number, cell: Cell]> {
  return text.startsWith(FORMAT) ? cellsOf(Buffer.from(text.slice(FORMAT.length), 'base64')) : [];
}

export function* cellsOf(bytes: Uint8Array): Generator<[slot: number, cell: Cell]> {
  const reader = new ByteReader(bytes);
  const cell = new Cell();
  let slot = -1;
  while (reader.isMore) {
    slot += reader.number() + 1;
    cell.clear();
    readCell(reader, cell);
    if (slot < MOST_SLOTS) yield [slot, cell];
  }
}

function writeCell(writer: ByteWriter, { counts, buckets, errors }: Cell): void {
  let present = 0;
  for (let at = 0; at < Count.all; at += 1) if (counts[at] !== 0) present |= 1 << at;
  writer.number(present);
  for (let at = 0; at < Count.all; at += 1) if (counts[at] !== 0) writer.number(counts[at]!);
  let before = -1;
  for (let at = 0; at < BUCKETS; at += 1) {
    if (buckets[at] === 0) continue;
    // 0 ends the list, so that the distance begins with 1.
    writer.number(at - before);
    writer.number(buckets[at]!);
    before = at;
  }
  writer.number(0);
  writer.number(errors?.size ?? 0);
  for (const [number, times] of errors ?? []) {
    writer.number(number);
    writer.number(times);
  }
}

function readCell(reader: ByteReader, cell: Cell): void {
  const present = reader.number();
  for (let at = 0; at < Count.all; at += 1) if (present & (1 << at)) cell.counts[at] = reader.number();
  let bucket = -1;
  for (let distance = reader.number(); distance !== 0; distance = reader.number()) {
    bucket += distance;
    const times = reader.number();
    if (bucket < BUCKETS) cell.buckets[bucket]! += times;
  }
  const errors = Math.min(reader.number(), MOST_ERRORS + 1);
  for (let at = 0; at < errors; at += 1) cell.addError(reader.number(), reader.number());
}
