/** Response forms of stored resources and references (specification, section 2.1; open points, decision 1). */
import { createdAt } from '../core/id.ts';
import { formatTime } from '../core/time-text.ts';
import type { JsonObject, JsonValue } from '../store/store.ts';
import { shownId } from './aliases.ts';
import type { DocumentOf, KindSurface, ShowContext, StoredKind } from './definition.ts';

/** Finds the collection of an id by its prefix. */
export function createRef(kinds: readonly KindSurface[], baseUrl: string): ShowContext['ref'] {
  const collections = new Map(
    kinds.map((kind) => [kind.prefix, `${baseUrl}${kind.path}`.split(PATH_PARAMETER)]),
  );
  return (id, parent = '') => {
    const collection = collections.get(id.slice(0, id.indexOf('_')));
    if (collection === undefined) throw new Error(`no kind has ids like ${id}`);
    const start = collection.length === 1 ? collection[0] : collection.join(parent);
    // In one piece, as ids are.
    return { id, uri: [start, id].join('/') };
  };
}

const PATH_PARAMETER = /\{\w+\}/;

const fieldNames = new WeakMap<StoredKind, readonly string[]>();

function fieldsOf(kind: StoredKind): readonly string[] {
  const known = fieldNames.get(kind);
  if (known !== undefined) return known;
  const names = Object.keys(kind.read.properties);
  fieldNames.set(kind, names);
  return names;
}

/**
 * Returns every field of the read schema in its order, synchronously if the kind is synchronous. `surface` is the
 * path of the request; `oneTime` replaces fields in the response to a creation.
 */
export function showDocument(
  kind: StoredKind,
  document: DocumentOf,
  context: ShowContext,
  surface: KindSurface = kind,
  oneTime?: JsonObject,
): JsonObject | Promise<JsonObject> {
  const complete = (own: JsonObject): JsonObject =>
    withAllFields(kind, document, context, surface, oneTime === undefined ? own : { ...own, ...oneTime });
  const shown = kind.show(document, context);
  return shown instanceof Promise ? shown.then(complete) : complete(shown);
}

function withAllFields(
  kind: StoredKind,
  document: DocumentOf,
  context: ShowContext,
  surface: KindSurface,
  own: JsonObject,
): JsonObject {
  const { description, metadata } = document.body;
  const common: Readonly<Record<string, JsonValue | undefined>> = {
    ...context.ref(shownId(kind, surface, document.id), document.parent ?? ''),
    created_at: formatTime(createdAt(document.id)),
    description,
    metadata,
  };
  const shown: Record<string, JsonValue> = {};
  for (const name of fieldsOf(kind)) {
    // Null is a value here.
    let value = own[name];
    if (value === undefined) value = common[name];
    if (value === undefined) throw new Error(`${kind.name} does not show its field ${name}`);
    shown[name] = value;
  }
  return shown;
}
