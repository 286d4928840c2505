/** The limits of what the inspector keeps. */

export interface CaptureLimits {
  /** Number of all exchanges; the oldest are evicted. */
  readonly exchanges: number;
  readonly bytes: number;
  /** Bytes of one body, before its compression is undone. */
  readonly bodyBytes: number;
  /** Number of messages of one connection; the oldest are evicted. */
  readonly messages: number;
  readonly messagesBytes: number;
  /** Bytes of one message. */
  readonly messageBytes: number;
}

const KIB = 1_024;

export const CAPTURE_LIMITS: CaptureLimits = {
  exchanges: 1_000,
  bytes: 32 * KIB * KIB,
  bodyBytes: 256 * KIB,
  messages: 500,
  messagesBytes: 512 * KIB,
  messageBytes: 64 * KIB,
};

/** Bytes of a body that is shown, searched or exported, after its compression was undone. */
export const DECODED_MAX = KIB * KIB;
