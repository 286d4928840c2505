/**
 * Checks real events against the examples in docs/build/events.
 * Invariant: an example has exactly the fields of its events.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * Verifies that an event has the fields of its example, with values of the same types; null stands for any. `name` is
 * that of the file; `sometimes`: fields of `object` that only some events have.
 */
export function assertLikeExample(event: unknown, name: string, sometimes: readonly string[] = []): void {
  const file = new URL(`../../docs/build/events/${name}.json`, import.meta.url);
  const { object, ...envelope } = JSON.parse(readFileSync(file, 'utf8'));
  for (const field of sometimes) delete object[field];
  const { object: real, ...realEnvelope } = event as { object: Json } & Record<string, Json>;
  assert.deepEqual(shapeOf(realEnvelope, envelope), shapeOf(envelope, realEnvelope), name);
  assert.deepEqual(shapeOf(real, object), shapeOf(object, real), name);
}

/** Their keys are what was sent. */
const maps: readonly string[] = ['headers'];

/** Types in place of values, where the other one has a value as well. */
function shapeOf(value: Json, other: Json | undefined, isMap = false): unknown {
  if (value === null || other === null || other === undefined) return 'any';
  if (Array.isArray(value)) {
    const [first] = value;
    const [otherFirst] = Array.isArray(other) ? other : [];
    return first === undefined || otherFirst === undefined ? 'list' : ['list', shapeOf(first, otherFirst)];
  }
  if (typeof value !== 'object') return typeof value;
  if (isMap) return 'map';
  const others = typeof other === 'object' && !Array.isArray(other) ? (other as Record<string, Json>) : {};
  const fields = Object.entries(value).map(([key, part]) => [
    key,
    // Absent in the other: it differs by its name.
    key in others ? shapeOf(part, others[key], maps.includes(key)) : 'more',
  ]);
  return Object.fromEntries(fields);
}
