/**
 * The header of a visitor's stream between two daemons: the tunnel at the other one, and the visitor.
 * Invariant: addresses in it are believed only because it came over a link.
 */
import { ErrorCode, type MuxStream } from '@underpass/wire';
import type { ProxyConnection } from './online.ts';

export interface HopHeader {
  /** The tunnel, by its number in the directory. */
  readonly number: number;
  readonly connection: ProxyConnection;
  /** Another tunnel may serve the visitor, if this one is silent. */
  readonly hasOthers: boolean;
  /** The visitor's daemon knows the codes with causes. Absent: it is of an older version. */
  readonly takesCauses?: boolean;
}

const LENGTH_BYTES = 4;
const LONGEST = 16 * 1024;

/** Encodes the header: its length as uint32, little-endian, then that many bytes of JSON. */
export function encodeHopHeader(header: HopHeader): Buffer {
  const text = JSON.stringify(header);
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + length);
  bytes.writeUInt32LE(length, 0);
  bytes.write(text, LENGTH_BYTES);
  return bytes;
}

/**
 * Reads the header of a stream and calls `ready` with it. Later bytes go to the handler that `ready` sets, at once or
 * later. A malformed or longer header resets the stream (protocol).
 */
export function readHopHeader(stream: MuxStream, ready: (header: HopHeader) => void): void {
  let held: Buffer = Buffer.alloc(0);
  const refuse = (): void => stream.reset(ErrorCode.protocol);
  stream.handler = {
    data: (chunk) => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      if (held.length < LENGTH_BYTES) return;
      const length = held.readUInt32LE(0);
      if (length > LONGEST) return refuse();
      const end = LENGTH_BYTES + length;
      if (held.length < end) return;
      const header = parse(held.subarray(LENGTH_BYTES, end));
      if (header === null) return refuse();
      stream.detach(held.subarray(end));
      ready(header);
    },
    end: refuse,
    drain: () => {},
    close: () => {},
  };
}

function parse(text: Buffer): HopHeader | null {
  try {
    const header = JSON.parse(text.toString()) as HopHeader | null;
    return Number.isSafeInteger(header?.number) && isConnection(header?.connection) ? header : null;
  } catch {
    return null;
  }
}

const TEXTS = ['clientAddr', 'serverAddr', 'proto', 'edgeType'] as const;

/** Daemons of other versions may send more fields. */
function isConnection(value: unknown): value is ProxyConnection {
  if (typeof value !== 'object' || value === null) return false;
  const connection = value as Readonly<Record<string, unknown>>;
  return TEXTS.every((name) => typeof connection[name] === 'string');
}
