/** The tunnel that an agent bound to a name, or all that share the name. */
import type { TunnelHandle } from '../../online/online.ts';
import type { ExplainedBackend } from '../sites/site.ts';
import { previewOfTunnels } from './preview.ts';
import { Rotation } from './rotation.ts';

/** `tunnel`: any of those that share the name. Where it goes offline the others go on. */
export function tunnelBackend(tunnel: TunnelHandle): ExplainedBackend {
  const { tunnels } = tunnel.pool ?? { tunnels: [tunnel] };
  const rotation = new Rotation();
  const isOnline = ({ closed }: TunnelHandle) => !closed.aborted;
  return {
    id: tunnel.id,
    pick(tried) {
      if (!tunnels.some(isOnline)) return 'nothingOnline';
      return rotation.pick(tunnels, tried) ?? 'tunnelBusy';
    },
    leadsTo: (opener) => tunnels.some((one) => one === opener && isOnline(one)),
    tunnels: () => tunnels.filter(isOnline),
    preview: () => previewOfTunnels(tunnel.id, tunnels.filter(isOnline), 'nothingOnline'),
  };
}
