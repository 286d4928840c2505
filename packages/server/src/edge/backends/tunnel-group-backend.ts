/** The tunnels of an account that carry certain labels, which share what comes. */
import type { StoredDocument } from '../../documents/index.ts';
import type { TunnelHandle } from '../../online/online.ts';
import type { ExplainedBackend, Opener } from '../sites/site.ts';
import type { BackendContext } from './backend-context.ts';
import { previewOfTunnels } from './preview.ts';
import { Rotation } from './rotation.ts';

export function tunnelGroupBackend(
  { id, account, body }: StoredDocument<'tunnel_group_backend'>,
  { online }: BackendContext,
): ExplainedBackend {
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
    preview: () => previewOfTunnels(id, matching(), 'tunnelGroupEmpty', labelsOf(body.labels)),
  };
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return ` with the labels ${all.join(', ')}`;
}
