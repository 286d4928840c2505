/** The number of proxied connections that this program holds at a time, and offers to the service: each takes a descriptor. */
import { descriptorLimit, descriptorsInUse, MOST_WIDE, type MuxSession } from '@underpass/wire';

const MOST = 16_384;
const LEAST = 16;
/** Descriptors for what else the program opens. */
const RESERVE = 64;
/** Heartbeats and requests of the service, and streams of which it learns later that they ended. */
const OTHER_STREAMS = 64;
/** Full windows that a service may have open; one that keeps to the offer opens half of them. */
const WIDE_STREAMS = 2 * MOST_WIDE;

/** Returns the number of proxied connections that fit. `limit`: descriptors, Infinity for no limit. `inUse`: open descriptors. */
export function streamsFor(limit: number, inUse: number): number {
  const free = limit - inUse;
  return Math.max(LEAST, Math.min(MOST, Math.floor(free - Math.min(RESERVE, free / 4))));
}

let offered: number | null = null;
const sessions = new Set<MuxSession>();

/** Returns the number of streams that each session of this program offers. */
export function offeredStreams(): number {
  offered ??= streamsFor(descriptorLimit(), descriptorsInUse());
  return offered;
}

/** Streams that a session accepts. */
export function acceptedStreams(): number {
  return offeredStreams() + OTHER_STREAMS;
}

/** Counts the streams of a session from now on, until the function that it returns is called. */
export function countStreams(session: MuxSession): () => void {
  sessions.add(session);
  return () => sessions.delete(session);
}

/** Returns true if the session may keep the proxied stream that it just accepted. */
export function hasRoom(session: MuxSession): boolean {
  if (session.wideCount > WIDE_STREAMS) return false;
  let open = 0;
  for (const { streamCount } of sessions) open += streamCount;
  return open <= acceptedStreams();
}
