/** Bounds of the memory and the connections of links. */
import { ByteBudget } from '@underpass/wire';

/** Streams of one link at a time. */
export const STREAMS = 65_536;
/** Connections whose hello has not come. The one that waits longest is closed for a new one. */
export const UNGREETED = 128;
/** Bytes of frames that a peer does not read, of one link and of all. */
const QUEUED_BYTES = 16 * 1024 * 1024;
export const QUEUED_BYTES_IN_ALL = 64 * 1024 * 1024;
/** Bytes of calls that have come in part, or whose answers are unread. */
export const CALL_BYTES_IN_ALL = 64 * 1024 * 1024;

/** The budget of one link within that of all. */
export const queuedBytes = (all: ByteBudget): ByteBudget => new ByteBudget(QUEUED_BYTES, all);
