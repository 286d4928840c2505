/**
 * Public bytes, in the codings that clients accept. Each coding is made at its first request, and kept. A tag for
 * each lets clients detect a copy that they have already (RFC 9110, sections 8.8.3 and 12.5.3).
 */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number] | 'identity';

export interface Coded {
  readonly bytes: Buffer;
  readonly coding: Coding;
  /** The entity tag with its quotes. */
  readonly etag: string;
}

/** Near the best there is; the best takes ten times as long. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const compress = {
  identity: async (bytes: Buffer) => bytes,
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: promisify<Buffer, Buffer>(gzip),
} satisfies Record<Coding, (bytes: Buffer) => Promise<Buffer>>;

export class Content {
  readonly #read: () => Promise<Buffer>;
  readonly #coded = new Map<Coding, Promise<Coded>>();

  constructor(read: () => Promise<Buffer>) {
    this.#read = read;
  }

  /** `accepted`: the Accept-Encoding header. */
  for(accepted: string | undefined): Promise<Coded> {
    return this.#in(codingFor(accepted));
  }

  #in(coding: Coding): Promise<Coded> {
    const known = this.#coded.get(coding);
    if (known !== undefined) return known;
    const made = this.#make(coding);
    this.#coded.set(coding, made);
    // A failed read is repeated by the next request.
    made.catch(() => this.#coded.delete(coding));
    return made;
  }

  async #make(coding: Coding): Promise<Coded> {
    if (coding === 'identity') {
      const bytes = await this.#read();
      return { bytes, coding, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"` };
    }
    const plain = await this.#in('identity');
    const bytes = await compress[coding](plain.bytes);
    return { bytes, coding, etag: `${plain.etag.slice(0, -1)}-${coding}"` };
  }
}

/** True if the client has the content of this tag already; `header`: If-None-Match. */
export function hasAlready(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
}

/** The best of ours that the client takes. */
function codingFor(accepted = ''): Coding {
  const wanted = weights(accepted);
  return CODINGS.find((coding) => (wanted.get(coding) ?? wanted.get('*') ?? 0) > 0) ?? 'identity';
}

/** True if a client prefers a page to data, as browsers do for typed addresses; `header`: Accept. */
export function asksForPage(header = ''): boolean {
  const wanted = weights(header);
  const page = wanted.get('text/html') ?? 0;
  return page > 0 && page >= (wanted.get('application/json') ?? 0);
}

/** The values of a header with their weights (RFC 9110, section 12.4.2), in lower case. */
function weights(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((part) => {
      const [value = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
      return [value, weight === undefined ? 1 : Number(weight) || 0] as const;
    }),
  );
}
