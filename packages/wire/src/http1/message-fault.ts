/**
 * Describes a fault of a message, with the offending line.
 * Invariant: the text has at most 100 bytes of the line, and no control characters.
 */
import { CR, LF } from './bytes.ts';

/** Bytes of a line that are shown. */
const SHOWN = 100;

export class MessageFault {
  readonly kind = 'fault';
  readonly text: string;

  /** `line` has one character a byte. It is null if the fault is in no line. */
  constructor(what: string, line: string | null) {
    this.text = line === null ? what : `${what}: "${shown(line)}"`;
  }

  /** Describes a fault of the line that begins at `start`. */
  static at(what: string, bytes: Buffer, start: number): MessageFault {
    const end = Math.min(bytes.length, start + SHOWN + 1);
    let stop = start;
    while (stop < end && bytes[stop] !== LF) stop += 1;
    if (stop > start && bytes[stop] === LF && bytes[stop - 1] === CR) stop -= 1;
    return new MessageFault(what, bytes.toString('latin1', start, stop));
  }

  /** Describes a connection that ended after these bytes, inside a head. */
  static ofUnfinishedHead(bytes: Buffer): MessageFault {
    let at = bytes.length - 1;
    while (at > 0 && (bytes[at - 1] !== LF || bytes[at] === CR || bytes[at] === LF)) at -= 1;
    return MessageFault.at('the connection ended within the head, after', bytes, Math.max(0, at));
  }
}

function shown(line: string): string {
  const cut = line.length > SHOWN ? line.slice(0, SHOWN) : line;
  const escaped = cut.replace(/[^ -~]|\\/g, (character) => {
    if (character === '\\') return '\\\\';
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return line.length > SHOWN ? `${escaped}…` : escaped;
}
