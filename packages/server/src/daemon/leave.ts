/** Sends the agents of a daemon to the others of its database when an operator drains it, and before it stops. */
import type { Ingress } from '../tunnels/ingress.ts';
import type { Foundation } from './foundation.ts';
import { Leaving } from './leaving.ts';

/** Start it last: it stops first, so that everything is served while agents leave. A daemon alone does not wait. */
export async function startLeaving(
  { config, readiness, log, parts }: Foundation,
  ingress: Ingress,
): Promise<void> {
  const { directory } = ingress;
  if (directory === null) return;
  const { leaveMs } = config;
  const leaving = new Leaving({
    agents: ingress,
    readiness,
    leaveMs,
    log,
    hasTakers: () => takersOf(ingress),
  });
  directory.draining.onChange((isDraining) => {
    if (isDraining) void leaving.begin('an operator drains this daemon: its agents go to other ones');
    else leaving.undo();
  });
  await parts.start({
    start: () => leaving,
    stop: () => leaving.finish(() => void directory.drain()),
  });
}

/** Returns true if another daemon takes agents: it lives, can be reached, and does not drain. */
function takersOf({ directory, peers }: Ingress): boolean {
  for (const { incarnation, isUp } of peers?.all() ?? []) {
    const node = directory?.nodes.get(incarnation);
    if (isUp && node?.isDead === false && !node.isDraining) return true;
  }
  return false;
}
