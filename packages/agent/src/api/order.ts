/** The order in which documents can be applied: each behind those that it refers to. Pure. */
import { type FieldTable, resourceTables } from '@underpass/client/operations';
import { fieldsIn, type KnownResource, resourceOf } from './catalogue.ts';
import { applicableFields, type Declared } from './documents.ts';

/** Returns the documents in an order in which each can refer to the earlier ones. */
export function ordered(documents: readonly Declared[]): readonly Declared[] {
  const order = kindOrder();
  return documents.toSorted(
    (a, b) => order.indexOf(a.resource.kind.name) - order.indexOf(b.resource.kind.name),
  );
}

/** All kinds, each behind the kinds that it refers to. */
function kindOrder(): readonly string[] {
  const seen = new Set<string>();
  const order: string[] = [];
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const other of neededBy(resourceOf(name))) visit(other);
    order.push(name);
  };
  for (const { kind } of resourceTables) if (kind !== null) visit(kind.name);
  return order;
}

/** Hostports are no references in the table, but the names in them must be reserved. */
function neededBy(resource: KnownResource): readonly string[] {
  const { within, namedBy } = resource.kind;
  const reserved = namedBy.includes('hostports') ? ['reserved_domain', 'reserved_addr'] : [];
  const referred = applicableFields(resource).flatMap((field) => referredBy(field));
  return [...(within === undefined ? [] : [within.kind]), ...reserved, ...referred];
}

function referredBy(field: FieldTable): readonly string[] {
  return [...(field.refersTo ?? []), ...fieldsIn(field).flatMap(referredBy)];
}
