/** What a refused write means to the user, by the rules of the kind that was written. */
import { Problem } from '../../errors/problem.ts';
import type { Conflict } from '../../store/store.ts';
import { shownId } from '../aliases.ts';
import type { KindSurface, StoredKind } from '../definition.ts';

/** The problem behind a conflict, or null for one that only says "look again". `surface` is what the kind was asked for under. */
export function problemOf(
  kind: StoredKind,
  surface: KindSurface,
  conflict: Conflict,
  account: string,
): Problem | null {
  switch (conflict.reason) {
    case 'stale':
      return null;
    case 'name-taken':
      if (kind.taken === undefined)
        throw new Error(`${kind.name} claims names but does not say what a taken one means`);
      return kind.taken(conflict.claim, conflict.account === account);
    case 'link-target-missing': {
      const reference = kind.references.find((one) => one.field === conflict.field);
      if (reference === undefined) throw new Error(`${kind.name} has no reference ${conflict.field}`);
      return new Problem(
        reference.unknown,
        { id: conflict.to, value: conflict.to },
        { field: pointerOf(conflict.field) },
      );
    }
    case 'in-use':
      if (kind.inUse === undefined) throw new Error(`${kind.name} is referred to but does not say so`);
      return new Problem(
        kind.inUse,
        { id: shownId(kind, surface, conflict.id), by: conflict.by.join(', ') },
        { used_by: conflict.by },
      );
    case 'parent-missing': {
      const { id } = conflict;
      const reference = kind.references.find((one) => one.parent === true);
      if (reference === undefined) throw new Error(`${kind.name} has no parent, yet ${id} is missing`);
      return new Problem(reference.unknown, { id, value: id }, { field: pointerOf(reference.field) });
    }
  }
}

/** The list or map itself for what stands inside one: which element it was is no longer known. */
function pointerOf(field: string): string {
  return `/${field.replace(/\.[*~].*$/, '').replaceAll('.', '/')}`;
}
