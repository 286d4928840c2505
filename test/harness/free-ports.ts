/**
 * Ports for servers that have to be told theirs. Never one of those that systems give to connections and to servers without a port of their own: between the look and the
 * start of the server somebody else would get it.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Linux gives ports from 32768 on, as it comes; daemons give tunnels those from 20000 to 29999. */
const FIRST = 10_000;
const END = 20_000;

/** Ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(FIRST, END);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}
