/** How much of what goes by is kept. */

export interface CaptureLimits {
  /** Of all exchanges together; the oldest give way. */
  readonly exchanges: number;
  readonly bytes: number;
  /** Of one body, as it went by. */
  readonly bodyBytes: number;
  /** Of one connection; the oldest give way. */
  readonly messages: number;
  readonly messagesBytes: number;
  /** Of one message. */
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

/** Of a body that is shown, searched or exported, after its compression was undone. */
export const DECODED_MAX = KIB * KIB;
