/**
 * Addresses of TCP edges: `<N>.tcp[.<region>].<domain>:<port>`.
 * Invariant: a port belongs to one reservation, because all hosts share the same listeners.
 */
import { randomInt } from 'node:crypto';
import { tcpPort } from '../core/names/bind-target.ts';
import type { Hostname } from '../core/names/hostname.ts';
import type { Region } from '../core/names/region.ts';
import { tcpName } from '../core/service-names.ts';
import type { Settings } from '../core/settings.ts';
import type { DocumentStore } from '../documents/index.ts';
import { portClaim } from '../documents/name-claims.ts';
import { Problem } from '../errors/problem.ts';
import type { OnlineFacts } from '../online/online.ts';

/** `N` goes from 0 to 8. */
const hosts = 9;
/** Number of random ports to try. So many taken ones in a row are likely only if nine of ten ports are taken. */
const probes = 32;

interface Where {
  readonly store: Pick<DocumentStore, 'findName' | 'snapshot'>;
  readonly online: Pick<OnlineFacts, 'occupied'>;
  readonly settings: Pick<Settings, 'domain' | 'tcpPorts'>;
}

/**
 * Returns any free address, each with equal probability, also released ones. Raises Problem if there is none. Another
 * writer may take the port before the claim: draw again then.
 */
export async function drawAddress(
  region: Region,
  where: Where,
): Promise<{ hostname: Hostname; port: number }> {
  return { hostname: tcpName(randomInt(hosts), region, where.settings), port: await drawPort(where) };
}

/** Tries its luck first; in a range that is nearly full it reads what is taken, once, and picks from the rest. */
async function drawPort({ store, settings, online }: Where): Promise<number> {
  const { first, last } = settings.tcpPorts;
  for (let probe = 0; probe < probes; probe++) {
    const port = randomInt(first, last + 1);
    if (!hasTunnel(port, online) && (await store.findName(portClaim(port))) === null) return port;
  }
  const { documents } = await store.snapshot(['reserved_addr']);
  const taken = new Set(documents.map(({ body }) => body.port));
  const free = Array.from({ length: last - first + 1 }, (_, at) => first + at).filter(
    (port) => !taken.has(port) && !hasTunnel(port, online),
  );
  if (free.length === 0) throw new Problem('addressesExhausted', { first, last });
  return free[randomInt(free.length)]!;
}

/** Returns true if an agent of any account has it, or had it a moment ago. */
function hasTunnel(port: number, online: Where['online']): boolean {
  return online.occupied(tcpPort(port), '') !== null;
}
