/** The modules of a kind, listed once: the fields of its schemas and of its stored body, and what is done with them, follow from the list. */
import type { JsonObject } from '../../store/store.ts';
import type { DocumentOf, RuleContext, ShowContext, StoredModule } from '../definition.ts';
import { moduleField, nullable } from '../schema.ts';

/** The stored form of the modules; null for each that is not set. */
type Configured<Listed extends readonly StoredModule[]> = {
  readonly [M in Listed[number] as M['name']]: Awaited<ReturnType<M['parse']>> | null;
};
type WriteFields<Listed extends readonly StoredModule[]> = {
  [M in Listed[number] as M['name']]: ReturnType<typeof moduleField<M['write']>>;
};
type ReadFields<Listed extends readonly StoredModule[]> = {
  [M in Listed[number] as M['name']]: ReturnType<typeof nullable<M['read']>>;
};

export class ModuleSet<const Listed extends readonly StoredModule[]> {
  readonly list: Listed;
  /** The fields of a request. */
  readonly write: WriteFields<Listed>;
  /** The fields of an answer. */
  readonly read: ReadFields<Listed>;

  constructor(...list: Listed) {
    this.list = list;
    const fields = <Field>(field: (module: StoredModule) => Field) =>
      Object.fromEntries(list.map((module) => [module.name, field(module)]));
    // The compiler does not follow names through `fromEntries`.
    this.write = fields(({ write }) => moduleField(write)) as unknown as WriteFields<Listed>;
    this.read = fields(({ read }) => nullable(read)) as unknown as ReadFields<Listed>;
  }

  /**
   * Replaces each module of the request in `current`; a module that is not in the request stays (specification,
   * section 4.3). `current` is null for a creation. Raises Problem.
   */
  async configure(
    input: Readonly<Record<string, unknown>>,
    current: JsonObject | null,
    context: RuleContext,
  ): Promise<Configured<Listed>> {
    const configured: Record<string, JsonObject | null> = {};
    for (const module of this.list) {
      const { name } = module;
      const standing = configurationIn(current ?? {}, name);
      const given = input[name];
      configured[name] =
        given === undefined
          ? standing
          : await module.parse(given, `/${name}`, { ...context, current: standing });
    }
    return configured as Configured<Listed>;
  }

  /** Every module by its name, null where it is not set. */
  show({ id, body }: DocumentOf, context: ShowContext): JsonObject {
    return Object.fromEntries(
      this.list.map((module) => {
        const config = configurationIn(body, module.name);
        return [module.name, config && module.show(config, context, id)];
      }),
    );
  }
}

/** Returns the stored form of a module; null if it is not set, or newer than the document. */
export function configurationIn(body: JsonObject, module: string): JsonObject | null {
  const config = body[module] ?? null;
  if (typeof config === 'object' && !Array.isArray(config)) return config as JsonObject | null;
  throw new Error(`what is stored as ${module} is no module`);
}
