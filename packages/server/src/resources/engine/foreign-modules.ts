/**
 * Refuses modules that a kind does not have.
 *
 * Invariant: a module in a request is configured or refused, also if it is `{}`, which other unknown fields may be.
 */
import type { TObject } from '../../core/type.ts';
import { isObject } from '../keywords.ts';
import { resourceKinds } from '../kinds/index.ts';
import { pointerStep } from '../pointer.ts';
import { unknownField } from '../validate.ts';

const names: ReadonlySet<string> = new Set(
  resourceKinds.flatMap(({ modules }) => modules.map(({ name }) => name)),
);

/** `schema`: of the request. Raises `fieldUnknown`. */
export function refuseForeignModules({ properties }: TObject, body: unknown): void {
  if (!isObject(body)) return;
  for (const [name, given] of Object.entries(body))
    if (isObject(given) && names.has(name) && !Object.hasOwn(properties, name))
      throw unknownField(`/${pointerStep(name)}`, Object.keys(properties));
}
