/** The status of a gRPC call, read from the header fields and trailers of its response. */
import { percentDecoded } from '@underpass/wire/percent';

export interface GrpcStatus {
  /** 0: the call succeeded. */
  readonly code: number;
  /** Such as `NOT_FOUND`; `UNKNOWN` for a code without a name. */
  readonly name: string;
  /** '' none. */
  readonly message: string;
}

/** `web-text` is `web` in Base64. */
export type GrpcForm = 'grpc' | 'web' | 'web-text';

/** A field as it was received, one character a byte. */
export interface GrpcField {
  readonly name: string;
  readonly value: string;
}

const NAMES = [
  ...['OK', 'CANCELLED', 'UNKNOWN', 'INVALID_ARGUMENT', 'DEADLINE_EXCEEDED', 'NOT_FOUND', 'ALREADY_EXISTS'],
  ...['PERMISSION_DENIED', 'RESOURCE_EXHAUSTED', 'FAILED_PRECONDITION', 'ABORTED', 'OUT_OF_RANGE'],
  ...['UNIMPLEMENTED', 'INTERNAL', 'UNAVAILABLE', 'DATA_LOSS', 'UNAUTHENTICATED'],
];
const UNKNOWN = 2;
const MESSAGE_MAX = 4_096;

/** A response that ended without a status; clients report it as UNKNOWN. */
export const NO_GRPC_STATUS: GrpcStatus = {
  ...{ code: UNKNOWN, name: 'UNKNOWN' },
  message: 'The call ended without a grpc-status.',
};

/** Null: the media type is not one of gRPC. */
export function grpcForm(contentType: string): GrpcForm | null {
  const match = /^\s*application\/grpc(-web(-text)?)?(?=[+;\s]|$)/i.exec(contentType);
  if (match === null) return null;
  return match[2] !== undefined ? 'web-text' : match[1] !== undefined ? 'web' : 'grpc';
}

/** Null: there is no grpc-status among the fields. The last one counts, since trailers follow headers. */
export function grpcStatusIn(fields: readonly GrpcField[]): GrpcStatus | null {
  const last = (wanted: string) => fields.findLast(({ name }) => name.toLowerCase() === wanted)?.value.trim();
  const status = last('grpc-status');
  if (status === undefined) return null;
  const message = new TextDecoder().decode(Uint8Array.from(last('grpc-message') ?? '', byteOf));
  const code = /^\d{1,9}$/.test(status) ? Number(status) : UNKNOWN;
  return { code, name: NAMES[code] ?? 'UNKNOWN', message: percentDecoded(message).slice(0, MESSAGE_MAX) };
}

function byteOf(character: string): number {
  return character.charCodeAt(0);
}

/** A failed call as people read it; null: there is none, or it succeeded. */
export function grpcFailure(status: GrpcStatus | undefined): string | null {
  return status === undefined || status.code === 0 ? null : `gRPC ${status.code} ${status.name}`;
}
