/** Previews of backends: the choice for a first attempt, in words. */
import type { ErrorName } from '../../errors/catalogue.ts';
import type { TunnelHandle } from '../../online/online.ts';
import type { BackendPreview, BelowPreview } from '../sites/site.ts';

/** `none`: the error if no tunnel is online. `which`: the tunnels in words, from a space on. */
export function previewOfTunnels(
  id: string,
  tunnels: readonly TunnelHandle[],
  none: ErrorName,
  which = '',
): BackendPreview {
  const silent = tunnels.filter(({ isSuspect }) => isSuspect).length;
  const online = tunnels.length === 1 ? '1 tunnel' : `${tunnels.length || 'No'} tunnels`;
  const end = silent > 0 ? `, ${silent} of them silent at the moment` : '';
  const why = `${online}${which} online${end}.`;
  return { id, instead: tunnels.length === 0 ? none : null, why };
}

/** The preview of a backend that has chosen one of the backends below it, or none. */
export function previewOfChosen(
  id: string,
  all: readonly BackendPreview[],
  chosen: BackendPreview | undefined,
  why: string,
): BackendPreview {
  const below: readonly BelowPreview[] = all.map((preview) => ({ preview, isChosen: preview === chosen }));
  const last = all.at(-1)?.instead ?? 'noBackendAvailable';
  return { id, instead: chosen === undefined ? last : chosen.instead, why, below };
}

/** Returns true if the backend has a response or a place for a first attempt. */
export function isReachable({ instead }: BackendPreview): boolean {
  return typeof instead !== 'string';
}
