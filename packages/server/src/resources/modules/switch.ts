/** Creates modules without settings, which are only on or off. */
import { Type } from '../../core/type.ts';
import type { SwitchModule } from '../../documents/index.ts';
import type { StoredModule } from '../definition.ts';
import { body, enabled } from '../schema.ts';

/** `name` is the field of the body, and the last segment of its path; `description` what it does. */
export function switchModule<const Name extends string>(
  name: Name,
  schemaName: string,
  summary: string,
  description: string,
) {
  const write = body({ enabled }, { description, examples: [{ enabled: true }] });
  return {
    name,
    schemaName,
    summary,
    write,
    read: Type.Object({ enabled: Type.Boolean() }, { description }),
    parse(input) {
      return { enabled: input.enabled ?? true };
    },
    show(config) {
      return config;
    },
  } as const satisfies StoredModule<SwitchModule, { readonly enabled?: boolean }>;
}
