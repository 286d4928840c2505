/** Headers that an HTTP response backend may answer: what could break the framing of the message is refused here. */
import { ERROR_CODE_HEADER, Problem } from '../errors/problem.ts';
import { pointerStep } from './pointer.ts';

const maxHeaders = 50;
const maxNameBytes = 128;
const maxValueBytes = 4096;

/** A token of RFC 9110, section 5.6.2. */
const namePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible ASCII, spaces and tabs: nothing that ends a line or that peers decode differently. */
const valuePattern = /^[\t\x20-\x7e]*$/;

/** Framing and hop-by-hop headers (RFC 9110, section 7.6.1), and the one by which the edge marks its own errors. */
const forbidden: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  ERROR_CODE_HEADER,
]);

/** Returns the headers with lower-case names, in the order given. */
export function parseResponseHeaders(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const parsed = new Map<string, string>();
  const given = Object.entries(headers);
  if (given.length > maxHeaders) {
    const values = { actual: given.length, limit: maxHeaders };
    throw new Problem('responseHeaderCount', values, { field: '/headers', limit: maxHeaders });
  }
  for (const [name, value] of given) {
    checkName(name);
    checkValue(name, value);
    const canonical = name.toLowerCase();
    if (parsed.has(canonical)) throw new Problem('responseHeaderRepeated', { name }, at(name));
    parsed.set(canonical, value);
  }
  return Object.fromEntries(parsed);
}

function checkName(name: string): void {
  const actual = Buffer.byteLength(name);
  if (actual < 1 || actual > maxNameBytes) {
    throw new Problem(
      'responseHeaderNameTooLong',
      { actual, limit: maxNameBytes },
      { field: '/headers', limit: maxNameBytes },
    );
  }
  if (!namePattern.test(name))
    throw new Problem('responseHeaderNameInvalid', { name: JSON.stringify(name).slice(1, -1) }, at(name));
  if (forbidden.has(name.toLowerCase())) throw new Problem('responseHeaderForbidden', { name }, at(name));
}

function checkValue(name: string, value: string): void {
  const actual = Buffer.byteLength(value);
  if (actual > maxValueBytes) {
    throw new Problem(
      'responseHeaderValueTooLong',
      { name, actual, limit: maxValueBytes },
      { ...at(name), limit: maxValueBytes },
    );
  }
  if (!valuePattern.test(value)) throw new Problem('responseHeaderValueInvalid', { name }, at(name));
}

function at(name: string): { readonly field: string } {
  return { field: `/headers/${pointerStep(name)}` };
}
