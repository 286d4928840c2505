/** Codes of RST and GOAWAY frames (agent protocol, section 2). */
export const ErrorCode = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  streamClosed: 4,
  streamRefused: 5,
  streamCancelled: 6,
  streamReset: 7,
  frameSize: 8,
  acceptQueueFull: 9,
  enhanceYourCalm: 10,
  remoteGoneAway: 11,
  streamsExhausted: 12,
  writeTimeout: 13,
  sessionClosed: 14,
  peerEof: 15,
  /** An extension of this project's agents: the upstream was not reached, and no bytes were passed on. */
  upstreamUnreached: 0x75700001,
  /** The same with its cause, for services that take causes (`ProxyHeader.TakesCauses`). */
  upstreamRefused: 0x75700011,
  upstreamNameMissing: 0x75700012,
  upstreamNameServers: 0x75700013,
  upstreamDialTimeout: 0x75700014,
  upstreamTlsFailed: 0x75700015,
  upstreamNoRoute: 0x75700016,
  upstreamNoSocket: 0x75700017,
} as const;
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

const LAST_CAUSE = ErrorCode.upstreamNoSocket;

/** Returns true if the agent did not reach the upstream, with or without a cause. */
export function isUnreached(code: ErrorCode): boolean {
  return code === ErrorCode.upstreamUnreached || (code >= ErrorCode.upstreamRefused && code <= LAST_CAUSE);
}

/** Returns the code of a peer's frame. Numbers that the protocol does not name become `internal`. */
export function toErrorCode(code: number): ErrorCode {
  const isKnown = (code >= 0 && code <= ErrorCode.peerEof) || isUnreached(code as ErrorCode);
  return isKnown ? (code as ErrorCode) : ErrorCode.internal;
}

/** Values of the first four bytes of a stream. They name its content (agent protocol, section 3). */
export const StreamType = {
  auth: 0,
  bind: 1,
  unbind: 2,
  proxy: 3,
  restart: 4,
  stop: 5,
  update: 6,
  startTunnelWithLabel: 7,
  srvInfo: 8,
  stopTunnel: 9,
  patchTunnelState: 10,
  /** A `proxy` stream with narrow windows, for agents that offer more streams than the protocol allows. */
  proxyNarrow: 0x75700003,
  /** Not in the published protocol: visitors that the service refused, for agents that announce `UnderpassRefusals`. Request and response. */
  refusals: 0x75700004,
  /** Not in the published protocol: the number of connections that an agent needs now, for agents that announce `UnderpassConnections`. */
  connections: 0x75700005,
  heartbeat: 0xffffffff,
} as const;
export type StreamType = (typeof StreamType)[keyof typeof StreamType];
