/** The fields of a schema as a list: the type of each, whether it is required, and its meaning. */
import { useSignal } from '@preact/signals';
import type { Schema } from '@underpass/ui/form/openapi.ts';
import { Prose } from '@underpass/ui/form/prose.tsx';
import type { Reference } from '@underpass/ui/form/reference.ts';

interface ListParts {
  readonly reference: Reference;
  readonly schema: Schema;
  readonly use: 'request' | 'answer';
}

export function FieldList({ reference, schema, use }: ListParts) {
  const { schema: object } = reference.given(schema);
  const fields = Object.entries(object.properties ?? {});
  if (fields.length === 0) return <p class="quiet">No fields.</p>;
  const required = use === 'request' ? (object.required ?? []) : [];
  return (
    <ul class="fields">
      {fields.map(([name, field]) => (
        <Item key={name} {...{ reference, name, field, use }} isRequired={required.includes(name)} />
      ))}
    </ul>
  );
}

interface ItemParts extends Omit<ListParts, 'schema'> {
  readonly name: string;
  readonly field: Schema;
  readonly isRequired: boolean;
}

/** An empty default needs no mention. */
const EMPTY = ['""', '[]', '{}'];

function Item({ reference, name, field, use, isRequired }: ItemParts) {
  const { schema, nullable } = reference.given(field);
  const inner = innerObject(reference, schema);
  const marks = [
    ...(field['x-immutable'] === true ? ['cannot be changed later'] : []),
    ...(field.writeOnly === true || schema.writeOnly === true ? ['never shown'] : []),
    ...(use === 'answer' && nullable ? ['may be null'] : []),
  ];
  const standard = JSON.stringify(field.default ?? schema.default);
  const description = field.description ?? schema.description ?? '';
  return (
    <li>
      <div class="field">
        <code class="name">{name}</code>
        <span class="type">{typeOf(reference, field)}</span>
        {isRequired && <span class="mark strong">required</span>}
        {marks.map((mark) => (
          <span key={mark} class="mark">
            {mark}
          </span>
        ))}
        {standard !== undefined && !EMPTY.includes(standard) && (
          <span class="mark">
            default <code>{standard}</code>
          </span>
        )}
      </div>
      {description !== '' && (
        <p>
          <Prose text={description} />
        </p>
      )}
      {inner !== null && <Nested {...{ reference, use }} schema={inner} />}
    </li>
  );
}

/** Made when it is opened. */
function Nested(parts: ListParts) {
  const isOpen = useSignal(false);
  return (
    <details class="nested" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>fields</summary>
      {isOpen.value && <FieldList {...parts} />}
    </details>
  );
}

/** The object with fields of its own: the value itself, or an element of a list. Null: there is none. */
function innerObject(reference: Reference, schema: Schema): Schema | null {
  const { schema: value } = schema.items === undefined ? { schema } : reference.given(schema.items);
  return Object.keys(value.properties ?? {}).length > 0 ? value : null;
}

function typeOf(reference: Reference, field: Schema): string {
  const { schema, name } = reference.given(field);
  const kinds = field['x-refers-to'] ?? schema['x-refers-to'];
  if (kinds !== undefined)
    return `id of ${kinds.map((kind) => reference.document['x-kinds'][kind]?.one).join(' or ')}`;
  if (schema.enum !== undefined) {
    const values = schema.enum.filter((value) => value !== '');
    return values.length > 12 ? `one of ${values.length} texts, such as ${values[0]}` : values.join(' | ');
  }
  if (schema.items !== undefined) return `list of ${typeOf(reference, schema.items)}`;
  const { additionalProperties: values } = schema;
  if (typeof values === 'object') return `map to ${typeOf(reference, values)}`;
  if (name === 'Ref') return 'reference';
  return Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any');
}
