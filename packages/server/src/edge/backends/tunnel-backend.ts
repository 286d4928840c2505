/** The one tunnel that an agent bound to a name. */
import type { LiveTunnel } from '../../online/online.ts';
import type { Backend } from '../sites/site.ts';

export function tunnelBackend(tunnel: LiveTunnel): Backend {
  return {
    id: tunnel.id,
    pick(tried) {
      if (tunnel.closed.aborted) return 'nothingOnline';
      return tried.has(tunnel) ? 'tunnelBusy' : tunnel;
    },
    leadsTo: (opener) => opener === tunnel && !tunnel.closed.aborted,
  };
}
