/** Headers that an HTTP response backend may answer: what could break the framing of the message is refused here. */

import {
  isHeaderName,
  isHeaderValue,
  isKeptByEdge,
  maxHeaderNameBytes,
  maxHeaderValueBytes,
} from '../core/header-syntax.ts';
import type { Settings } from '../core/settings.ts';
import { Problem } from '../errors/problem.ts';
import { pointerStep } from './pointer.ts';

export const maxResponseHeaders = 50;

/** Returns the headers with lower-case names, in the order given. */
export function parseResponseHeaders(
  headers: Readonly<Record<string, string>>,
  settings: Pick<Settings, 'errorCodeHeader'>,
): Readonly<Record<string, string>> {
  const parsed = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    checkName(name, settings);
    checkValue(name, value);
    const canonical = name.toLowerCase();
    if (parsed.has(canonical)) throw new Problem('responseHeaderRepeated', { name }, at(name));
    parsed.set(canonical, value);
  }
  return Object.fromEntries(parsed);
}

function checkName(name: string, settings: Pick<Settings, 'errorCodeHeader'>): void {
  const actual = Buffer.byteLength(name);
  if (actual < 1 || actual > maxHeaderNameBytes) {
    throw new Problem(
      'responseHeaderNameTooLong',
      { actual, limit: maxHeaderNameBytes },
      { field: '/headers', limit: maxHeaderNameBytes },
    );
  }
  if (!isHeaderName(name))
    throw new Problem('responseHeaderNameInvalid', { name: JSON.stringify(name).slice(1, -1) }, at(name));
  if (isKeptByEdge(name, settings)) throw new Problem('responseHeaderForbidden', { name }, at(name));
}

function checkValue(name: string, value: string): void {
  const actual = Buffer.byteLength(value);
  if (actual > maxHeaderValueBytes) {
    throw new Problem(
      'responseHeaderValueTooLong',
      { name, actual, limit: maxHeaderValueBytes },
      { ...at(name), limit: maxHeaderValueBytes },
    );
  }
  if (!isHeaderValue(value)) throw new Problem('responseHeaderValueInvalid', { name }, at(name));
}

function at(name: string): { readonly field: string } {
  return { field: `/headers/${pointerStep(name)}` };
}
