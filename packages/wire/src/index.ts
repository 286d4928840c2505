/**
 * The agent protocol: multiplexed typed streams, RPC and heartbeats over a byte stream.
 * Invariant: the bytes on the wire never change, because agents in five languages depend on them.
 */

export * from './bounded-writes.ts';
export { type BudgetShare, ByteBudget } from './byte-budget.ts';
export * from './codes.ts';
export * from './deadline.ts';
export * from './descriptors.ts';
export * from './duplex.ts';
export { INITIAL_WINDOW, NARROW_WINDOW } from './frame.ts';
export * from './gathered-writes.ts';
export * from './growing-buffer.ts';
export * from './heartbeat.ts';
export * from './lost-output.ts';
export * from './mux-stream.ts';
export * from './newer-version.ts';
export * from './proxy-header.ts';
export { ReceiveBuffer } from './receive-buffer.ts';
export * from './replay.ts';
export * from './reset-socket.ts';
export * from './rpc.ts';
export {
  MOST_WIDE,
  MuxSession,
  OPEN_LIMIT,
  type PeerLimits,
  type Reads,
  type SessionOptions,
} from './session.ts';
export * from './single-executable.ts';
export * from './upstream-socket.ts';
export * from './version-facts.ts';
export * from './wire-error.ts';
