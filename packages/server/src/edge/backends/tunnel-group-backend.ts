/** The tunnels of an account that carry certain labels, which share what comes. */
import type { StoredDocument } from '../../documents/index.ts';
import type { TunnelHandle } from '../../online/online.ts';
import type { Backend, Opener } from '../sites/site.ts';
import type { BackendContext } from './backend-context.ts';
import { Rotation } from './rotation.ts';

export function tunnelGroupBackend(
  { id, account, body }: StoredDocument<'tunnel_group_backend'>,
  { online }: BackendContext,
): Backend {
  // Look-ups are remembered by this very object.
  const labels = new Map(Object.entries(body.labels));
  const matching = (): readonly TunnelHandle[] => online.matching(account, labels);
  const rotation = new Rotation();
  return {
    id,
    pick(tried) {
      const tunnels = matching();
      if (tunnels.length === 0) return 'tunnelGroupEmpty';
      return rotation.pick(tunnels, tried) ?? 'tunnelBusy';
    },
    leadsTo: (opener: Opener) => matching().some((tunnel) => tunnel === opener),
    tunnels: matching,
  };
}
