/** Selections of lists in the words of the client. */
import type { Branch, Field } from '../core/filter/fields.ts';
import type { KindSurface } from '../resources/definition.ts';
import { Selection, type SelectionText, selectedFields, selectedIn } from '../resources/selection.ts';
import type { JsonObject } from '../store/store.ts';
import { inTheirWords, type Scope } from './vocabulary.ts';

/** Renamings of resources. */
export interface ResourceWords {
  ofResource(kind: KindSurface): Scope | undefined;
}

/** `words`: the client's names; null: ours. Raises Problem. */
export function selectionIn(kind: KindSurface, words: ResourceWords | null, text: SelectionText): Selection {
  const scope = words?.ofResource(kind);
  const ours = selectedFields(kind.read);
  if (scope === undefined) return new Selection(text, ours);
  const view = (shown: JsonObject) => inTheirWords(scope, shown) as JsonObject;
  return new Selection(text, selectedIn(branchIn(scope, ours.fields)), view);
}

/** Returns the fields with their names, and choices with their values, in the words of a client. */
function branchIn(scope: Scope, { fields, ...others }: Branch): Branch {
  const renamed = [...fields].map(
    ([name, field]) => [scope.names.theirs(name), fieldIn(scope.inner.get(name), field)] as const,
  );
  return { ...others, fields: new Map(renamed) };
}

function fieldIn(scope: Scope | undefined, field: Field): Field {
  if (scope === undefined) return field;
  // Fields of a list are those of its elements.
  const inner = scope.inner.get('*') ?? scope;
  if (field.type === 'object') return branchIn(inner, field);
  const { values } = field;
  return values === undefined ? field : { ...field, values: values.map((one) => inner.values.theirs(one)) };
}
