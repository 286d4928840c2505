/** Turns refused writes into problems, by the rules of the kind. */
import { Problem } from '../../errors/problem.ts';
import type { Conflict } from '../../store/store.ts';
import { shownId } from '../aliases.ts';
import type { KindSurface, StoredKind } from '../definition.ts';

/** Returns the problem of a conflict, or null if the write can be retried. `surface` is the path of the request. */
export function problemOf(
  kind: StoredKind,
  surface: KindSurface,
  conflict: Conflict,
  account: string,
): Problem | null {
  switch (conflict.reason) {
    case 'stale':
      return null;
    case 'occupied':
      throw new Error(`${kind.name} takes no names from agents`);
    case 'name-taken':
      if (kind.taken === undefined)
        throw new Error(`${kind.name} claims names but has no error for a taken one`);
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
      if (kind.inUse === undefined) throw new Error(`${kind.name} is referred to but has no error for it`);
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

/** Returns the pointer of the list or map for an element of it, because the index is no longer known. */
function pointerOf(field: string): string {
  return `/${field.replace(/\.[*~].*$/, '').replaceAll('.', '/')}`;
}
