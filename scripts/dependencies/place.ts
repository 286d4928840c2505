/** Finds the place of a folder in the layers. */
import type { Layer } from './layers.ts';

/** A folder at each depth, and the number of its layer among those beside it. */
export type Place = readonly { readonly name: string; readonly layer: number }[];

/**
 * Returns the place of a folder such as `server/edge/http`, with `.` at the end if it has subfolders. Returns null if
 * the layers do not have it.
 */
export function placeOf(folder: readonly string[], layers: readonly Layer[]): Place | null {
  const [name = '.', ...rest] = folder;
  const layer = layers.findIndex((one) => one.some((other) => other.name === name));
  const inside = layers[layer]?.find((one) => one.name === name)?.inside ?? [];
  if (layer === -1 || (inside.length === 0 && rest.length > 0)) return null;
  const place = { name, layer };
  if (inside === 'any' || inside.length === 0) return [place];
  const below = placeOf(rest, inside);
  return below === null ? null : [place, ...below];
}

export function nameOf(place: Place): string {
  return place
    .filter(({ name }) => name !== '.')
    .map(({ name }) => name)
    .join('/');
}

/** Returns the names of all places. */
export function namesIn(layers: readonly Layer[]): readonly string[] {
  return layers.flat().flatMap(({ name, inside }) => {
    if (inside === undefined || inside === 'any') return [name === '.' ? '' : name];
    return namesIn(inside).map((below) => (below === '' ? name : `${name}/${below}`));
  });
}

export type Direction = 'same' | 'down' | 'beside' | 'up';

export function direction(from: Place, to: Place): Direction {
  for (const [depth, one] of from.entries()) {
    const other = to[depth]!;
    if (one.name === other.name) continue;
    if (one.layer === other.layer) return 'beside';
    return one.layer > other.layer ? 'down' : 'up';
  }
  return 'same';
}
