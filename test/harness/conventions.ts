/** Conventions for the values of every resource, beyond their types (specification, section 2.1; open points, decision 1). */
import assert from 'node:assert/strict';

const ID = /^[a-z0-9]+_[0-9A-Za-z]{27}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
/** `terminate_at` is a place. */
const TIMES = /^((?!terminate_at$)\w+_at|not_before|not_after|valid_after|valid_until)$/;
/** Their keys are the user's. */
const MAPS = ['labels', 'headers', 'add', 'extensions', 'critical_options', 'backends'];

/** `base` is what every address begins with. */
export function checkConventions(value: unknown, base: string, what: string): void {
  if (value === null || typeof value !== 'object') return;
  for (const [name, part] of Object.entries(value)) {
    const at = `${name} of ${what}: ${JSON.stringify(part)}`;
    if (name === 'id') assert.match(String(part), ID, at);
    if (part === null) continue;
    if (TIMES.test(name)) assert.match(String(part), TIME, at);
    if (name === 'uri' || name === 'next_page_uri') assert.ok(String(part).startsWith(`${base}/`), at);
    if (!MAPS.includes(name) || Array.isArray(part)) checkConventions(part, base, what);
  }
  const { id, uri } = value as { readonly id?: unknown; readonly uri?: unknown };
  if (id !== undefined && uri !== undefined)
    assert.equal(String(uri).split('/').at(-1), id, `the uri of ${what} ends with its id`);
}
