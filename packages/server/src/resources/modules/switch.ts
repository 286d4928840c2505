/** What a module is made from that has nothing to set but whether it applies. */
import Type from 'typebox';
import type { StoredModule } from '../definition.ts';
import type { SwitchModule } from '../documents.ts';
import { body, enabled, type Input } from '../schema.ts';

const write = body({ enabled });

/** `name` is the field of the body, and the last segment of its path. */
export function switchModule(name: string, schemaName: string, summary: string) {
  return {
    name,
    schemaName,
    summary,
    write,
    read: Type.Object({ enabled: Type.Boolean() }),
    parse(input) {
      return { enabled: input.enabled ?? true };
    },
    show(config) {
      return config;
    },
  } as const satisfies StoredModule<SwitchModule, Input<typeof write>>;
}
