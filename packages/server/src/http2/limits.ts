/** Limits of one connection's use of this side. */

export interface Http2Limits {
  /** Streams that the other side may have open at a time. */
  readonly streams: number;
  /** Bytes of a list of header fields, decoded, as RFC 9113, section 10.5.1, counts them: 32 for each field beside its name and value. */
  readonly listBytes: number;
  /** Bytes of the block that a list comes in. A longer one ends the connection, since the table of fields would be lost with it. */
  readonly blockBytes: number;
  /** Frames that a header block may come in, beyond the first. */
  readonly continuations: number;
  /** Bytes that may be on their way, or wait here, of one stream and of all. */
  readonly streamWindow: number;
  readonly connectionWindow: number;
  /** Frames that serve nothing or undo something: so many at once, and so many each second. */
  readonly futileBurst: number;
  readonly futilePerSecond: number;
  /** Milliseconds from the first byte of a header block, or of the connection, to the last one of the block, or of the preface. */
  readonly headMs: number;
}

export const HTTP2_LIMITS: Http2Limits = {
  streams: 128,
  listBytes: 64 * 1024,
  blockBytes: 64 * 1024,
  continuations: 8,
  streamWindow: 128 * 1024,
  connectionWindow: 1024 * 1024,
  futileBurst: 500,
  futilePerSecond: 50,
  headMs: 30_000,
};
