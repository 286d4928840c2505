/**
 * Copies the beginnings of both bodies of a request on their way.
 * Invariant: it copies a bounded number of bytes, and never delays the request.
 */
import { apart, GrowingBuffer } from '@underpass/wire';
import { ChunkData } from '../../http-syntax/chunk-data.ts';
import {
  type BodyPlace,
  MOST_RECORDED,
  type RecordedBodies,
  type RecordedBody,
} from '../sites/body-recording.ts';
import { fieldsOf } from '../sites/recorded-heads.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
const EMPTY = Buffer.alloc(0);

/** Facts about a body that its head states. */
interface Described {
  readonly type: string;
  readonly encoding: string;
  readonly isChunked: boolean;
}

export class BodyTap {
  readonly #place: BodyPlace;
  readonly #request: Beginning;
  #response: Beginning | null = null;
  /** The next bytes to the visitor begin with the head of the response. */
  #awaitsHead = false;
  /** The modules have let the request pass. Bodies of others are not recorded. */
  isAdmitted = false;

  /** `head`: of the request. `isChunked`: its body has the sizes of chunks. */
  constructor(place: BodyPlace, head: string, isChunked: boolean) {
    this.#place = place;
    this.#request = new Beginning({ ...describe(head), isChunked });
  }

  /** Receives bytes of the request body. */
  requestData(bytes: Buffer): void {
    this.#copy(this.#request, bytes);
  }

  /** The final response begins with the next bytes. */
  answering(): void {
    this.#awaitsHead = true;
  }

  /** Receives bytes to the visitor. */
  sent(bytes: Buffer): void {
    if (!this.#awaitsHead) {
      if (this.#response !== null) this.#copy(this.#response, bytes);
      return;
    }
    this.#awaitsHead = false;
    const end = bytes.indexOf(HEAD_END) + HEAD_END.length;
    this.#response = new Beginning(describe(bytes.toString('latin1', 0, end)));
    if (end < bytes.length) this.#copy(this.#response, bytes.subarray(end));
  }

  /** Returns what was copied; null if the request was refused. Nothing may be copied later. */
  end(): RecordedBodies | null {
    if (!this.isAdmitted) {
      this.drop();
      return null;
    }
    const [request, response] = [this.#request.end(), this.#response?.end() ?? null];
    this.#place.keep((request?.bytes.length ?? 0) + (response?.bytes.length ?? 0));
    return { place: this.#place, request, response };
  }

  /** Forgets all, because there are no bodies: the connection carries something else from now on. */
  drop(): void {
    this.#place.release();
  }

  #copy(into: Beginning, bytes: Buffer): void {
    into.read(bytes, this.#place.isOpen);
    if (this.#place.keep(this.#request.capacity + (this.#response?.capacity ?? 0))) return;
    this.#request.forget();
    this.#response?.forget();
  }
}

/** The first bytes of a body. */
class Beginning {
  readonly #described: Described;
  readonly #chunks: ChunkData | null;
  readonly #kept = new GrowingBuffer({ mostBytes: MOST_RECORDED });
  #size = 0;

  constructor(described: Described) {
    this.#described = described;
    this.#chunks = described.isChunked ? new ChunkData() : null;
  }

  get capacity(): number {
    return this.#kept.capacity;
  }

  read(bytes: Buffer, isKept: boolean): void {
    if (this.#chunks === null) this.#add(bytes, isKept);
    else for (const span of this.#chunks.spans(bytes)) this.#add(span, isKept);
  }

  forget(): void {
    this.#kept.clear();
  }

  /** Null: there is no body. */
  end(): RecordedBody | null {
    if (this.#size === 0) return null;
    const { type, encoding } = this.#described;
    const bytes = this.#kept.length === 0 ? EMPTY : apart(this.#kept.take());
    return { bytes, size: this.#size, type, encoding };
  }

  #add(bytes: Buffer, isKept: boolean): void {
    const room = MOST_RECORDED - this.#kept.length;
    // Bytes behind a gap do not belong to the beginning.
    if (isKept && room > 0 && this.#kept.length === this.#size) this.#kept.append(bytes.subarray(0, room));
    this.#size += bytes.length;
  }
}

function describe(head: string): Described {
  const values = new Map<string, string>();
  for (const [name, value] of fieldsOf(head)) values.set(name.toLowerCase(), value);
  return {
    type: values.get('content-type') ?? '',
    encoding: values.get('content-encoding') ?? '',
    isChunked: /\bchunked$/i.test(values.get('transfer-encoding') ?? ''),
  };
}
