/**
 * Finds the user of this machine at the other end of a loopback connection, from the Linux kernel's tables.
 * Invariant: an unknown user is never taken for a known one.
 */
import { createReadStream } from 'node:fs';
import { endianness } from 'node:os';

/** A connection, seen from the side that accepted it. */
export interface Ends {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

/** The tables of a process's network, by the family of the socket; one of IPv6 may speak IPv4. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'] as const;
/** A table that changes while it is read may lack a line. */
const LOOKS = 3;
/** The state `ESTABLISHED`; for closed connections the kernel reports user 0. */
const OPEN = '01';
const UID_FIELD = 7;

/**
 * True for the user that runs the agent, also by `sudo`, and for root. Root can read the agent's memory anyway. Null:
 * the user is unknown.
 */
export function mayAsk(user: number | null): boolean {
  const own = process.getuid?.();
  if (user === null || own === undefined) return false;
  return user === own || user === 0 || (own === 0 && String(user) === process.env.SUDO_UID);
}

/** Id of the peer's user. Null: unknown, as on other systems, or from another network. */
export async function userOfPeer(ends: Ends, platform = process.platform): Promise<number | null> {
  const client = socketAddress(ends.remoteAddress, ends.remotePort);
  const server = socketAddress(ends.localAddress, ends.localPort);
  if (platform !== 'linux' || client === null || server === null) return null;
  for (let look = 0; look < LOOKS; look++) {
    for (const [index, table] of TABLES.entries()) {
      const uid = await uidIn(table, `${client[index]} ${server[index]} ${OPEN} `);
      if (uid !== null) return uid;
    }
  }
  return null;
}

/** Null when it is not there, or there is no such table. */
async function uidIn(table: string, connection: string): Promise<number | null> {
  try {
    let unread = '';
    for await (const piece of createReadStream(table, 'latin1')) {
      const lines = (unread + String(piece)).split('\n');
      unread = lines.pop() ?? '';
      const line = lines.find((one) => one.includes(` ${connection}`));
      if (line !== undefined) return uidOf(line);
    }
  } catch {
    // The table cannot be read.
  }
  return null;
}

function uidOf(line: string): number | null {
  const uid = line.trim().split(/\s+/)[UID_FIELD] ?? '';
  return /^\d+$/.test(uid) ? Number(uid) : null;
}

/** The address as each table spells it; null: no address. An IPv6 address never matches in the first table. */
function socketAddress(
  address: string | undefined,
  port: number | undefined,
): readonly [string, string] | null {
  if (address === undefined || port === undefined) return null;
  const bytes = addressBytes(address);
  if (bytes === null) return null;
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return [inWords(bytes.subarray(12)) + end, inWords(bytes) + end];
}

/** The IPv6 bytes of an address; IPv4 is mapped. Null: the loopback has no such address. */
function addressBytes(address: string): Buffer | null {
  const bytes = Buffer.alloc(16);
  if (address === '::1') {
    bytes[15] = 1;
    return bytes;
  }
  const four = /^(?:::ffff:)?(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)?.slice(1);
  if (four === undefined) return null;
  bytes.fill(0xff, 10, 12);
  bytes.set(four.map(Number), 12);
  return bytes;
}

/** The kernel writes addresses in words, in the machine's own order. */
function inWords(bytes: Buffer): string {
  const words = Buffer.from(bytes);
  return (endianness() === 'LE' ? words.swap32() : words).toString('hex').toUpperCase();
}
