/**
 * Divides the file descriptors of the process.
 * Invariant: the database, files and the admin listener have descriptors when all connections are in use.
 */
export { descriptorLimit, descriptorsInUse } from '@underpass/wire';

export interface DescriptorPlan {
  /** Connections at the front door, and how many of them may be in their handshake. */
  readonly connections: number;
  readonly unfinished: number;
  /** Connections to static backends. */
  readonly dialled: number;
  /** Connections at the admin listener. */
  readonly admin: number;
  /** Connections of name servers. */
  readonly dns: number;
  /** Connections of SSH clients; 0 where none are taken. */
  readonly ssh: number;
}

const LARGEST_RESERVE = 512;
/** Most visitors come for agents, whose connections are there already. */
const DIALLED = 1 / 4;
/** Share of the connections. Each carries a tunnel, and its visitors use the front door. */
const SSH = 1 / 8;
const UNFINISHED = 4096;
const ADMIN = 256;
const DNS = 128;

/** Descriptors that the daemon opens after the plan is made: the store with its threads, listeners. */
const OWN = 32;

export interface Wishes {
  /** No more connections than these. */
  readonly wanted?: number | undefined;
  readonly takesSsh?: boolean;
}

/** `limit`: Infinity when there is none; `inUse` when the daemon starts. */
export function planDescriptors(
  limit: number,
  inUse: number,
  { wanted = Number.POSITIVE_INFINITY, takesSsh = false }: Wishes = {},
): DescriptorPlan {
  const free = Math.max(limit - inUse - OWN, 16);
  const reserve = Math.min(LARGEST_RESERVE, Math.floor(free / 4));
  const all = (free - reserve) * (1 - DIALLED);
  const ssh = takesSsh ? Math.floor(all * SSH) : 0;
  const connections = Math.min(wanted, Math.ceil(takesSsh ? all * (1 - SSH) : all));
  return {
    connections,
    unfinished: Math.min(UNFINISHED, Math.floor(connections / 2)),
    dialled: Math.floor((free - reserve) * DIALLED),
    admin: Math.min(ADMIN, Math.floor(reserve / 2)),
    dns: Math.min(DNS, Math.floor(reserve / 4)),
    ssh,
  };
}
