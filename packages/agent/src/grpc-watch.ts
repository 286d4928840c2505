/** Follows one response and reports the result of its gRPC call. */
import {
  type GrpcField,
  type GrpcForm,
  type GrpcStatus,
  grpcForm,
  grpcStatusIn,
  NO_GRPC_STATUS,
} from './grpc.ts';
import { PackedTrailers } from './grpc-web-packed.ts';
import { GrpcWebTrailers } from './grpc-web-trailers.ts';

/** The first header of a response. */
export interface GrpcHead {
  /** The status of HTTP. */
  readonly status: number;
  readonly fields: readonly GrpcField[];
  /** True if the request was one of gRPC. */
  readonly isCalled: boolean;
}

export interface GrpcEnd {
  /** Null: the status of HTTP is the result, or the result cannot be read. */
  readonly status: GrpcStatus | null;
  /** The trailers that were in the body: header lines, one character a byte. */
  readonly lines: string;
}

export class GrpcWatch {
  readonly #head: GrpcHead;
  /** Null: no trailers in the body can be read. */
  readonly #web: GrpcWebTrailers | PackedTrailers | null;
  #trailers: readonly GrpcField[] = [];

  /** Null: neither the request nor the response is one of gRPC. */
  static of(head: GrpcHead): GrpcWatch | null {
    return head.isCalled || isGrpc(head.fields) ? new GrpcWatch(head) : null;
  }

  private constructor(head: GrpcHead) {
    const form = grpcForm(fieldOf(head.fields, 'content-type'));
    this.#head = head;
    this.#web =
      form === null || form === 'grpc' ? null : trailersOf(form, fieldOf(head.fields, 'content-encoding'));
  }

  trailers(fields: readonly GrpcField[]): void {
    this.#trailers = fields;
  }

  body(bytes: Buffer, start: number, end: number): void {
    this.#web?.feed(bytes, start, end);
  }

  end(): GrpcEnd {
    const lines = this.#web?.lines ?? '';
    const all = [...this.#head.fields, ...this.#trailers, ...fieldsIn(lines)];
    return { status: grpcResult({ ...this.#head, fields: all }), lines };
  }
}

function trailersOf(form: GrpcForm, encoding: string): GrpcWebTrailers | PackedTrailers | null {
  return isPlain(encoding) ? new GrpcWebTrailers(form) : PackedTrailers.of(form, encoding);
}

function isPlain(encoding: string): boolean {
  return /^(identity)?$/i.test(encoding);
}

/** The result of a response that ended, with its trailers among the fields; null as in `GrpcEnd`. */
export function grpcResult({ status, fields, isCalled }: GrpcHead): GrpcStatus | null {
  if (!isCalled && !isGrpc(fields)) return null;
  const found = grpcStatusIn(fields);
  // A compressed body may have trailers that cannot be read.
  if (found !== null || status !== 200 || !isPlain(fieldOf(fields, 'content-encoding'))) return found;
  return NO_GRPC_STATUS;
}

/** True if the message is a request or a response of gRPC. */
export function isGrpc(fields: readonly GrpcField[]): boolean {
  return grpcForm(fieldOf(fields, 'content-type')) !== null;
}

/** The first of this name; '' none. */
export function fieldOf(fields: readonly GrpcField[], wanted: string): string {
  return fields.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
}

/** The fields in header lines of one character a byte. */
export function fieldsIn(lines: string): readonly GrpcField[] {
  return lines.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [{ name: line.slice(0, colon), value: line.slice(colon + 1).trim() }];
  });
}
