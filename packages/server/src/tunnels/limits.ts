/**
 * How much and how long an agent may take. Never so little that an agent which behaves would notice: stock agents that are turned
 * away once too often stay away for minutes, and a thousand of them may come back from one address at once.
 */

export interface IngressLimits {
  /** From the end of the TLS handshake to the Auth request; agents on a machine that is too busy take long, see the front door. */
  readonly authMs: number;
  /** For a store that is away, where it has to say whose a credential is. */
  readonly storeWaitMs: number;
  readonly tunnelsPerSession: number;
  /** From a request to an agent to its answer. */
  readonly askMs: number;
  /** From a request to stop, restart or update to the end of the session. */
  readonly leaveMs: number;
  /** From the answer to a bind until every agent knows the tunnel. */
  readonly registerMs: number;
  /** Without a byte from an agent that owes an answer, until it is asked for a sign of life. */
  readonly silentMs: number;
  /** Connections without a successful Auth, in all and per source; beyond it those go that have waited longest. */
  readonly unauthenticated: number;
  readonly unauthenticatedPerSource: number;
  /** From the login of an SSH client until it has said what it forwards, and as what. */
  readonly sshRequestMs: number;
  /** From the first forward of an SSH client to its session; without one the port decides what is carried. */
  readonly sshSessionMs: number;
  /** An SSH client that is silent for so long is asked for a sign of life; after the third in vain its session is over. */
  readonly sshKeepaliveMs: number;
  readonly sessionsPerCredential: number;
  readonly sessionsPerAccount: number;
  readonly sessionsPerSource: number;
  /** Before Auth: streams at a time, the longest request, and what is kept of all that is half-sent or unread, per session and in all. */
  readonly unauthenticatedStreams: number;
  readonly unauthenticatedRequestBytes: number;
  readonly unauthenticatedBytes: number;
  readonly unauthenticatedBytesInAll: number;
  /** After it: streams at a time. */
  readonly streams: number;
  /** Streams for visitors, to an agent that offers so many itself; others have those of the protocol. */
  readonly proxiedStreams: number;
  /** What is kept of requests that are not whole and of answers that are not read, per session and in all. */
  readonly requestBytes: number;
  readonly requestBytesInAll: number;
  /** What is kept of frames that are not read, per session and in all. */
  readonly queuedBytes: number;
  readonly queuedBytesInAll: number;
}

const kiB = 1024;
const miB = 1024 * kiB;

export const defaultLimits: IngressLimits = {
  authMs: 60_000,
  storeWaitMs: 10_000,
  tunnelsPerSession: 256,
  askMs: 15_000,
  leaveMs: 60_000,
  registerMs: 1_000,
  silentMs: 2_000,
  unauthenticated: 4_096,
  unauthenticatedPerSource: 2_048,
  sshRequestMs: 30_000,
  sshSessionMs: 1_000,
  sshKeepaliveMs: 10_000,
  sessionsPerCredential: 2_500,
  sessionsPerAccount: 5_000,
  sessionsPerSource: 5_000,
  unauthenticatedStreams: 8,
  unauthenticatedRequestBytes: 32 * kiB,
  unauthenticatedBytes: 128 * kiB,
  unauthenticatedBytesInAll: 16 * miB,
  streams: 512,
  proxiedStreams: 16_384,
  requestBytes: 8 * miB,
  requestBytesInAll: 64 * miB,
  queuedBytes: 8 * miB,
  queuedBytesInAll: 256 * miB,
};
