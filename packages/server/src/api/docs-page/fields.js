/** The fields of a schema as a list: what each is, whether it must be given, and what it means. */
/** @import { Schema } from './types.ts' */
/** @import { Reference } from './reference.js' */
import { el, prose } from './dom.js';

/**
 * @param {Reference} reference
 * @param {Schema} schema
 * @param {'request' | 'answer'} use
 * @returns {HTMLElement}
 */
export function fieldList(reference, schema, use) {
  const { schema: object } = reference.given(schema);
  const fields = Object.entries(object.properties ?? {});
  if (fields.length === 0) return el('p', { class: 'quiet' }, 'No fields.');
  const required = use === 'request' ? (object.required ?? []) : [];
  return el(
    'ul',
    { class: 'fields' },
    ...fields.map(([name, field]) =>
      fieldItem(reference, { name, field, use, required: required.includes(name) }),
    ),
  );
}

/**
 * @param {Reference} reference
 * @param {{ name: string, field: Schema, use: 'request' | 'answer', required: boolean }} row
 */
function fieldItem(reference, { name, field, use, required }) {
  const { schema, nullable } = reference.given(field);
  const inner = innerObject(reference, schema);
  const marks = [
    ...(required ? ['required'] : []),
    ...(field['x-immutable'] ? ['cannot be changed later'] : []),
    ...(field.writeOnly || schema.writeOnly ? ['never shown'] : []),
    ...(use === 'answer' && nullable ? ['may be null'] : []),
  ];
  const standard = field.default ?? schema.default;
  // An empty default needs no mention.
  const isWorthAWord = standard !== undefined && !['""', '[]', '{}'].includes(JSON.stringify(standard));
  const description = field.description ?? schema.description ?? '';
  return el(
    'li',
    {},
    el(
      'div',
      { class: 'field' },
      el('code', { class: 'name' }, name),
      el('span', { class: 'type' }, typeOf(reference, field)),
      ...marks.map((mark) => el('span', { class: mark === 'required' ? 'mark strong' : 'mark' }, mark)),
      isWorthAWord
        ? el('span', { class: 'mark' }, 'default ', el('code', {}, JSON.stringify(standard)))
        : null,
    ),
    description === '' ? null : el('p', {}, ...prose(description)),
    inner === null ? null : nested(() => fieldList(reference, inner, use)),
  );
}

/**
 * The object whose fields are worth a list of their own: the value itself, or what a list holds.
 * @param {Reference} reference
 * @param {Schema} schema
 * @returns {Schema | null}
 */
function innerObject(reference, schema) {
  const { schema: value } = schema.items === undefined ? { schema } : reference.given(schema.items);
  return Object.keys(value.properties ?? {}).length > 0 ? value : null;
}

/**
 * Made when it is opened.
 * @param {() => HTMLElement} make
 */
function nested(make) {
  const details = el('details', { class: 'nested' }, el('summary', {}, 'fields'));
  details.addEventListener('toggle', () => details.append(make()), { once: true });
  return details;
}

/**
 * @param {Reference} reference
 * @param {Schema} field
 * @returns {string}
 */
function typeOf(reference, field) {
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
