/** Reports of a tunnel to its inspection, bound or not. */
import type { TunnelRequest } from './binding.ts';
import type { Inspection } from './forward.ts';
import type { RefusedVisits } from './refused-visits.ts';
import type { Tunnel } from './tunnel.ts';

/** The properties of a tunnel that the inspector shows beside its requests. */
export interface InspectedSpec {
  /** Name in the config file; null elsewhere. */
  readonly name: string | null;
  readonly upstream: { readonly text: string };
  readonly request: TunnelRequest;
}

export interface TunnelInspection extends Inspection {
  bound(tunnel: Tunnel): void;
  ended(): void;
  refused(refused: RefusedVisits): void;
}
