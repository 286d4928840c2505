/**
 * Kinds with a second name: the same resources at another path, with ids of another prefix and the same suffix.
 * Invariant: documents, links, names and events in the store have the kind's own ids.
 */
import type { KindSurface, ResourceKind, StoredKind } from './definition.ts';

type KindIds = Pick<StoredKind, 'prefix' | 'alias'>;

/** All that the API shows: each kind, and after it what else it is called. */
export function surfacesOf(kinds: readonly ResourceKind[]): readonly KindSurface[] {
  return kinds.flatMap((kind): readonly KindSurface[] => {
    if (kind.source === 'live' || kind.alias === undefined) return [kind];
    const { example, ...names } = kind.alias;
    const create = { ...kind.create, examples: [example] };
    return [kind, { ...kind, ...names, create, aliasOf: kind.name }];
  });
}

/** The prefixes that an id of one may have. */
export function prefixesOf({ prefix, alias }: KindIds): readonly string[] {
  return alias === undefined ? [prefix] : [prefix, alias.prefix];
}

/** The id that the store has, of one that begins with the kind's prefix or its alias's; any other text as it is. */
export function storedId({ prefix, alias }: KindIds, id: string): string {
  return alias !== undefined && id.startsWith(`${alias.prefix}_`) ? withPrefix(prefix, id) : id;
}

/** Returns the id that a request to `surface` reads for an id of the kind. */
export function shownId({ prefix }: KindSurface, surface: KindSurface, id: string): string {
  return surface.prefix !== prefix && id.startsWith(`${prefix}_`) ? withPrefix(surface.prefix, id) : id;
}

function withPrefix(prefix: string, id: string): string {
  return `${prefix}${id.slice(id.indexOf('_'))}`;
}
