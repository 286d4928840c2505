/** Checks that the server's port is open, at each of its addresses. */
import { connect } from 'node:net';
import { codeOf, reasonOf } from '../reason.ts';
import { addressesOf } from './addresses.ts';
import { type Finding, failed, ok, type Target, TIMEOUT_MS, warning } from './finding.ts';

const MAX_ADDRESSES = 8;

export async function lookAtTcp({ server: { host, port } }: Target): Promise<Finding> {
  const addresses = (await addressesOf(host)).slice(0, MAX_ADDRESSES);
  const tried = await Promise.all(addresses.map((address) => tryAddress(address, port)));
  const refused = tried.filter(({ error }) => error !== null);
  const told = (those: typeof tried) => those.map(({ text }) => text).join('; ');
  if (refused.length === tried.length) return failed(told(refused), remedyFor(refused[0]?.error, port));
  if (refused.length === 0 || isLoopback(addresses))
    return ok(told(tried.filter((it) => !refused.includes(it))));
  const remedy = 'The agent goes to those that answer. Have the others answer, or take them out of DNS.';
  return warning(told(tried), remedy);
}

interface Tried {
  readonly text: string;
  readonly error: unknown;
}

function tryAddress(address: string, port: number): Promise<Tried> {
  const at = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  const began = performance.now();
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    const done = (text: string, error: unknown) => {
      socket.destroy();
      resolve({ text: `${at} ${text}`, error });
    };
    socket.setTimeout(TIMEOUT_MS, () => done(`gives no answer within ${TIMEOUT_MS / 1000} s`, 'timeout'));
    socket.once('connect', () => done(`answers in ${(performance.now() - began).toFixed(0)} ms`, null));
    socket.on('error', (error) => done(reasonOf(error), error));
  });
}

/** A daemon listens at one of the two, and that is enough. */
function isLoopback(addresses: readonly string[]): boolean {
  return addresses.every((address) => address === '127.0.0.1' || address === '::1');
}

function remedyFor(error: unknown, port: number): string {
  if (codeOf(error) === 'ECONNREFUSED')
    return `Check that the daemon runs there, and that ${port} is the port of its --listen.`;
  return `Check the network, and the firewalls between here and there: TCP port ${port} has to be let through.`;
}
