/** The tunnels of an account that carry certain labels, each in its turn. Never that one which is silent is chosen while others are not. */
import type { StoredDocument } from '../../documents/index.ts';
import type { LiveTunnel } from '../../online/online.ts';
import type { Backend, Opener } from '../sites/site.ts';
import type { BackendContext } from './backend-context.ts';

export function tunnelGroupBackend(
  { id, account, body }: StoredDocument<'tunnel_group_backend'>,
  { online }: BackendContext,
): Backend {
  // Look-ups are remembered by this very object.
  const labels = new Map(Object.entries(body.labels));
  const matching = (): readonly LiveTunnel[] => online.matching(account, labels);
  let turn = 0;
  return {
    id,
    pick(tried) {
      const tunnels = matching();
      if (tunnels.length === 0) return 'tunnelGroupEmpty';
      const first = turn;
      turn = (turn + 1) % tunnels.length;
      let suspect: LiveTunnel | null = null;
      for (let i = 0; i < tunnels.length; i += 1) {
        const tunnel = tunnels[(first + i) % tunnels.length]!;
        if (tried.has(tunnel)) continue;
        if (!tunnel.isSuspect) return tunnel;
        suspect ??= tunnel;
      }
      return suspect ?? 'tunnelBusy';
    },
    leadsTo: (opener: Opener) => matching().some((tunnel) => tunnel === opener),
  };
}
