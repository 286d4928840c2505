/** Sends the agents of a daemon to the others of its database when an operator drains it, and before it stops. */
import type { Peer } from '../link/peers.ts';
import type { Ingress } from '../tunnels/ingress.ts';
import { othersTaking } from '../tunnels/useful-connections.ts';
import type { Foundation } from './foundation.ts';
import { Leaving } from './leaving.ts';
import type { Siblings } from './siblings.ts';

/**
 * Start it last: it stops first, so that everything is served while agents leave. A daemon alone does not wait, and
 * gets null.
 */
export async function startLeaving(
  { config, readiness, log, parts, siblings }: Foundation,
  ingress: Ingress,
): Promise<Leaving | null> {
  const { directory } = ingress;
  if (directory === null) return null;
  const { leaveMs } = config;
  const leaving = new Leaving({
    agents: ingress,
    readiness,
    leaveMs,
    log,
    hasTakers: () => othersTaking(directory, { all: () => stayingPeers(ingress, siblings) }) > 0,
  });
  directory.draining.onChange((isDraining) => {
    if (isDraining) void leaving.begin('an operator drains this daemon: its agents go to other ones');
    else leaving.undo();
  });
  return await parts.start({
    start: () => leaving,
    stop: () => leaving.finish(() => void directory.drain()),
  });
}

/** Returns the daemons that do not end together with this one. */
function* stayingPeers({ directory, peers }: Ingress, siblings: Siblings): Iterable<Peer> {
  for (const peer of peers?.all() ?? []) {
    const facts = directory?.nodes.get(peer.incarnation)?.facts ?? {};
    if (!siblings.endsToo(facts)) yield peer;
  }
}
