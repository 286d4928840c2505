/**
 * Limits for agents in number and time. They are wide enough for well-behaved agents: stock agents that are refused
 * once too often stay away for minutes, and a thousand may reconnect from one address at once.
 */

export interface IngressLimits {
  /** Milliseconds from the end of the TLS handshake to the Auth request. Agents on a busy machine take long. */
  readonly authMs: number;
  /** Milliseconds to wait for an unavailable store with the owner of a credential. */
  readonly storeWaitMs: number;
  readonly tunnelsPerSession: number;
  /** Milliseconds from a request to an agent to its response. */
  readonly askMs: number;
  /** Milliseconds from a request to stop, restart or update to the end of the session. */
  readonly leaveMs: number;
  /** Milliseconds for requests that are under way when an agent is sent to another daemon. Its names wait meanwhile. */
  readonly finishMs: number;
  /** Milliseconds from the response to a bind until every agent knows the tunnel. */
  readonly registerMs: number;
  /** Milliseconds without a byte from an agent that owes a response, until a heartbeat request. */
  readonly silentMs: number;
  /** Connections without a successful Auth, in all and per source; beyond it those go that have waited longest. */
  readonly unauthenticated: number;
  readonly unauthenticatedPerSource: number;
  /** Milliseconds from the login of an SSH client to its forward. */
  readonly sshRequestMs: number;
  /** Milliseconds from the first forward of an SSH client to its session. Without one the port decides the protocol. */
  readonly sshSessionMs: number;
  /** Milliseconds of silence until a keepalive request to an SSH client. After three without response its session ends. */
  readonly sshKeepaliveMs: number;
  readonly sessionsPerCredential: number;
  readonly sessionsPerAccount: number;
  readonly sessionsPerSource: number;
  /**
   * Limits before Auth: streams at a time, bytes of the longest request, and bytes of unfinished and unread data, per
   * session and in all.
   */
  readonly unauthenticatedStreams: number;
  readonly unauthenticatedRequestBytes: number;
  readonly unauthenticatedBytes: number;
  readonly unauthenticatedBytesInAll: number;
  /** Streams at a time after Auth. */
  readonly streams: number;
  /** Streams for visitors, to an agent that offers so many itself; others have those of the protocol. */
  readonly proxiedStreams: number;
  /** Bytes of unfinished requests and of unread responses, per session and in all. */
  readonly requestBytes: number;
  readonly requestBytesInAll: number;
  /** Bytes of unread frames, per session and in all. */
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
  finishMs: 2_000,
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
