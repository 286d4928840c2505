/** Encodes and decodes the header before a proxied connection's bytes. */
import { ErrorCode } from './codes.ts';
import type { MuxStream } from './mux-stream.ts';
import { field } from './rpc.ts';

/** Describes a proxied connection (agent protocol, section 6). */
export interface ProxyHeader {
  readonly Id: string;
  readonly ClientAddr: string;
  readonly Proto: string;
  readonly EdgeType: string;
  readonly PassthroughTLS: boolean;
  /** The service takes the causes of unreached upstreams. Absent for agents of other projects. */
  readonly TakesCauses?: boolean;
}

const PREFIX_BYTES = 8;
const MAX_HEADER_BYTES = 65_536;

/** Encodes the header: the length as int64, little-endian, then that many bytes of JSON. */
export function encodeProxyHeader(header: ProxyHeader): Buffer {
  const text = JSON.stringify(header);
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(PREFIX_BYTES + length);
  bytes.writeUInt32LE(length, 0);
  bytes.writeUInt32LE(0, 4);
  bytes.write(text, PREFIX_BYTES);
  return bytes;
}

/**
 * Reads the header of a proxy stream and calls `ready` with it. Later bytes go to the handler that `ready` sets, at
 * once or later. A malformed header, or one over 64 KiB, resets the stream (protocol).
 */
export function readProxyHeader(stream: MuxStream, ready: (header: ProxyHeader) => void): void {
  let held: Buffer = Buffer.alloc(0);
  const refuse = (): void => stream.reset(ErrorCode.protocol);
  stream.handler = {
    data: (chunk) => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      if (held.length < PREFIX_BYTES) return;
      const length = held.readUInt32LE(0);
      if (held.readUInt32LE(4) !== 0 || length > MAX_HEADER_BYTES) return refuse();
      const end = PREFIX_BYTES + length;
      if (held.length < end) return;
      const header = parse(held.subarray(PREFIX_BYTES, end));
      if (header === null) return refuse();
      stream.detach(held.subarray(end));
      held = Buffer.alloc(0);
      ready(header);
    },
    end: refuse,
    drain: () => {},
    close: () => {},
  };
}

function parse(text: Buffer): ProxyHeader | null {
  let object: unknown;
  try {
    object = JSON.parse(text.toString());
  } catch {
    return null;
  }
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return null;
  const string = (name: string): string | null => {
    const value = field(object, name) ?? '';
    return typeof value === 'string' ? value : null;
  };
  const [Id, ClientAddr, Proto, EdgeType] = [
    string('Id'),
    string('ClientAddr'),
    string('Proto'),
    string('EdgeType'),
  ];
  if (Id === null || ClientAddr === null || Proto === null || EdgeType === null) return null;
  const PassthroughTLS = field(object, 'PassthroughTLS') === true;
  const TakesCauses = field(object, 'TakesCauses') === true;
  return { Id, ClientAddr, Proto, EdgeType, PassthroughTLS, ...(TakesCauses ? { TakesCauses } : {}) };
}
