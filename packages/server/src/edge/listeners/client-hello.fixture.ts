/** Makes TLS ClientHellos, also such as no client would send, for the tests of this folder. */
export interface HelloParts {
  readonly sessionId?: Buffer;
  readonly ciphers?: Buffer;
  /** Whole extensions as made by `extension`; null for a hello that ends before them. */
  readonly extensions?: readonly Buffer[] | null;
}

function vector(lengthSize: 1 | 2, bytes: Buffer): Buffer {
  const length = Buffer.alloc(lengthSize);
  length.writeUIntBE(bytes.length, 0, lengthSize);
  return Buffer.concat([length, bytes]);
}

export function extension(type: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type >> 8, type & 0xff]), vector(2, data)]);
}

export function serverNameExtension(name: string): Buffer {
  const entry = Buffer.concat([Buffer.from([0]), vector(2, Buffer.from(name, 'latin1'))]);
  return extension(0, vector(2, entry));
}

/** The body of the message, without its 4-byte header. */
export function helloBody({
  sessionId = Buffer.alloc(32, 7),
  ciphers = Buffer.from([0x13, 0x01]),
  extensions = [],
}: HelloParts): Buffer {
  const head = [
    Buffer.from([3, 3]),
    Buffer.alloc(32, 9),
    vector(1, sessionId),
    vector(2, ciphers),
    Buffer.from([1, 0]),
  ];
  return Buffer.concat(extensions === null ? head : [...head, vector(2, Buffer.concat(extensions))]);
}

/** A whole hello in as few records as it takes. */
export function buildHello(parts: HelloParts): Buffer {
  const body = helloBody(parts);
  return asRecords(
    Buffer.concat([Buffer.from([1, body.length >> 16, (body.length >> 8) & 0xff, body.length & 0xff]), body]),
    [],
  );
}

/** Splits a handshake message into records of the given sizes; what is left goes into records as large as they may be. */
export function asRecords(message: Buffer, sizes: readonly number[]): Buffer {
  const records: Buffer[] = [];
  let at = 0;
  for (let index = 0; at < message.length; index += 1) {
    const fragment = message.subarray(at, at + (sizes[index] ?? 16_384));
    records.push(Buffer.from([22, 3, 1, fragment.length >> 8, fragment.length & 0xff]), fragment);
    at += fragment.length;
  }
  return Buffer.concat(records);
}
