/**
 * Ports for servers that need a fixed one.
 * Invariant: systems do not give these ports to connections or to servers without a port, which could take one
 * between the check and the start. Invariant: no two files of a run get the same port.
 */
import { randomInt } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Daemons give tunnels ports from 20000 to 29999; Linux by default gives connections ports from 32768 on. */
const FIRST = 10_000;
/** So many are enough for a run. */
const LEAST = 2_000;
const END = Math.min(20_000, firstOfConnections());
/** The first port of ranges. Single ports everywhere would leave no range free. */
const FIRST_OF_RANGES = END - Math.floor((END - FIRST) / 3);
const MOST_ATTEMPTS = 10_000;

/** The variable that names a folder in which a run of tests notes the ports that it has given away. */
export const GIVEN_PORTS = 'TEST_PORTS';
/** Ports given in this process, whose files may run alone. */
const given = new Set<number>();

/** Ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePortsIn(FIRST, FIRST_OF_RANGES, 1));
  return ports;
}

/** The first of so many ports in a row, which were free a moment ago. */
export async function freePortRange(count: number): Promise<number> {
  return await freePortsIn(FIRST_OF_RANGES, END, count);
}

/** Rejects if there seem to be none between the two ports. */
async function freePortsIn(from: number, end: number, count: number): Promise<number> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const first = randomInt(from, end - count + 1);
    const ports = Array.from({ length: count }, (_, at) => first + at);
    const refused = ports.findIndex((port) => !take(port));
    if (refused >= 0) for (const port of ports.slice(0, refused)) giveBack(port);
    else if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
  throw new Error(`no ${count} free ports in a row from ${from} to ${end - 1}`);
}

function firstOfConnections(): number {
  try {
    const first = Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10);
    return first >= FIRST + LEAST ? first : Number.POSITIVE_INFINITY;
  } catch {
    // Other systems have no such file.
    return Number.POSITIVE_INFINITY;
  }
}

/** Returns true if the port was not given before, and gives it. */
function take(port: number): boolean {
  if (given.has(port)) return false;
  given.add(port);
  const folder = process.env[GIVEN_PORTS];
  if (folder === undefined) return true;
  try {
    closeSync(openSync(join(folder, String(port)), 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

function giveBack(port: number): void {
  given.delete(port);
  const folder = process.env[GIVEN_PORTS];
  if (folder !== undefined) rmSync(join(folder, String(port)), { force: true });
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}
