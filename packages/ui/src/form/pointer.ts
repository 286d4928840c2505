/** Reads and changes a value inside JSON by a JSON pointer (RFC 6901), without changing the original. */
import type { Json } from './openapi.ts';

export type Steps = readonly (string | number)[];

export function pointerOf(steps: Steps): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Undefined: there is nothing. */
export function getAt(value: Json | undefined, steps: Steps): Json | undefined {
  let found = value;
  for (const step of steps) {
    if (found === null || typeof found !== 'object') return undefined;
    if (Array.isArray(found)) found = found[Number(step)];
    else found = Object.hasOwn(found, step) ? found[step] : undefined;
  }
  return found;
}

/** Puts a value at a place; undefined removes it. Objects on the way are made. */
export function setAt(
  value: Json | undefined,
  [step, ...rest]: Steps,
  to: Json | undefined,
): Json | undefined {
  if (step === undefined) return to;
  if (Array.isArray(value)) {
    const next = setAt(value[Number(step)], rest, to);
    if (next === undefined) return value.filter((_, at) => at !== Number(step));
    const copy = [...value];
    copy[Number(step)] = next;
    return copy;
  }
  const object = value !== null && typeof value === 'object' ? value : {};
  const inner = Object.hasOwn(object, step) ? object[step] : undefined;
  const next = setAt(inner, rest, to);
  const entries = Object.entries(object).filter(([name]) => next !== undefined || name !== String(step));
  const changed = entries.map(([name, old]) => [name, name === String(step) ? next : old] as const);
  const isNew = next !== undefined && !Object.hasOwn(object, step);
  return Object.fromEntries([...changed, ...(isNew ? [[String(step), next] as const] : [])]) as Json;
}
