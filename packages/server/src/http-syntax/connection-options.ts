/**
 * Reads the Connection fields of a head (RFC 9110, section 7.6.1).
 * Invariant: they never remove a field that decides the end or the destination of a message.
 */
import { isWord } from './bytes.ts';
import { Field } from './fields.ts';
import type { Head } from './head.ts';

const CLOSE = Buffer.from('close');
const KEEP_ALIVE = Buffer.from('keep-alive');

/**
 * Fields that Connection cannot remove, because they decide the end or the destination of the message. Fields that
 * are always removed, or written anew here, are not listed.
 */
const KEPT: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'expect',
  'trailer',
  'cdn-loop',
]);

/** Made once per connection and filled again per head. */
export class ConnectionOptions {
  close = false;
  /** Needed only by clients of HTTP/1.0. */
  keepAlive = false;
  upgrade = false;
  te = false;
  /** Names in lower case. Null if there is none, which is the usual case. */
  dropped: ReadonlySet<string> | null = null;

  read(head: Head): void {
    this.close = false;
    this.keepAlive = false;
    this.upgrade = false;
    this.te = false;
    this.dropped = null;
    if (!head.has(Field.connection)) return;
    for (let i = head.first[Field.connection]!; i < head.count; i += 1) {
      if (head.kinds[i] === Field.connection) this.#readValue(head, i);
    }
  }

  #readValue(head: Head, index: number): void {
    const start = head.offsets[4 * index + 2]!;
    const end = head.offsets[4 * index + 3]!;
    if (isWord(head.bytes, start, end, KEEP_ALIVE)) {
      this.keepAlive = true;
      return;
    }
    if (isWord(head.bytes, start, end, CLOSE)) {
      this.close = true;
      return;
    }
    let dropped: Set<string> | null = null;
    for (const part of head.value(index).toLowerCase().split(',')) {
      const option = part.trim();
      if (option === 'close') this.close = true;
      else if (option === 'upgrade') this.upgrade = true;
      else if (option === 'te') this.te = true;
      else if (option === 'keep-alive') this.keepAlive = true;
      else if (option !== '' && !KEPT.has(option)) {
        dropped ??= new Set(this.dropped);
        dropped.add(option);
      }
    }
    if (dropped !== null) this.dropped = dropped;
  }
}
