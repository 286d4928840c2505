/** The limits of sizes and times for visitors and upstreams: one deadline for each stage, none for an exchange as a whole. */

import { LINGER_LIMITS, type LingerLimits } from '../../system/linger.ts';

export interface HttpLimits extends LingerLimits {
  /** Bytes of a request or response head. */
  readonly headBytes: number;
  /** Bytes of the fields of a request over HTTP/2, decoded, with 32 for each field: a short block can stand for long ones. */
  readonly requestHeadBytes: number;
  /** Header fields of a head. */
  readonly fields: number;
  /** Milliseconds from the first byte of a request head to its last. */
  readonly headMs: number;
  /** Milliseconds between two requests, and before the first. */
  readonly idleMs: number;
  /** Milliseconds between two pieces of a request body. */
  readonly bodyIdleMs: number;
  /** A request body brings at least so many bytes in each such time; else it only keeps a stream of the agent from others. */
  readonly bodyWindowMs: number;
  readonly bodyWindowBytes: number;
  /** Milliseconds for which a visitor may leave a response unread. */
  readonly writeStallMs: number;
  /** Milliseconds from the end of a request to the first byte of its response, and between two pieces of the response. */
  readonly answerMs: number;
  /** Silence in both directions of an upgraded connection. */
  readonly upgradeIdleMs: number;
  /** Milliseconds from the end of one side of a WebSocket to the end of both. */
  readonly websocketEndMs: number;
  /** Silence of the other side of any other connection that carries bytes and is half-closed; from then on few may have more. */
  readonly halfClosedMs: number;
  /** Idle streams kept per tunnel, and for how long. */
  readonly idleStreams: number;
  readonly idleStreamMs: number;
  /** Bytes of all bodies that are kept until they were judged. */
  readonly awaitedBodies: number;
  /** 1xx responses before a final one. */
  readonly interimResponses: number;
}

export const DEFAULT_LIMITS: HttpLimits = {
  ...LINGER_LIMITS,
  headBytes: 64 * 1024,
  requestHeadBytes: 16 * 1024,
  fields: 200,
  headMs: 30_000,
  idleMs: 75_000,
  bodyIdleMs: 60_000,
  bodyWindowMs: 60_000,
  bodyWindowBytes: 6_000,
  writeStallMs: 120_000,
  answerMs: 300_000,
  upgradeIdleMs: 600_000,
  websocketEndMs: 1_500,
  halfClosedMs: 30_000,
  idleStreams: 256,
  idleStreamMs: 60_000,
  awaitedBodies: 64 * 1024 * 1024,
  interimResponses: 32,
};
