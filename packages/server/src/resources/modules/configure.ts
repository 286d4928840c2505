/** The modules of a kind all at once: taken from a body that may hold any of them, and shown. */
import type { JsonObject, JsonValue } from '../../store/store.ts';
import type { DocumentOf, RuleContext, ShowContext, StoredModule } from '../definition.ts';

/** The names of a kind's modules with what is stored of each; null where a module is not set. */
export type Modules = { readonly [name: string]: JsonObject | null };

/**
 * A module in the request replaces the whole module that stands in `current`; one that is not in it stays (specification,
 * section 4.3). `current` is null for a creation. Raises Problem.
 */
export async function configure<Configured extends Modules>(
  modules: readonly StoredModule[],
  input: Readonly<Record<string, unknown>>,
  current: JsonObject | null,
  context: RuleContext,
): Promise<Configured> {
  const configured: Record<string, JsonObject | null> = {};
  for (const module of modules) {
    const { name } = module;
    // A field that came with a later version is not in what was stored before.
    const standing = (current?.[name] ?? null) as JsonObject | null;
    const given = input[name];
    configured[name] =
      given === undefined
        ? standing
        : await module.parse(given, `/${name}`, { ...context, current: standing });
  }
  return configured as Configured;
}

/** Every module by its name, null where it is not set. */
export function showModules(
  modules: readonly StoredModule[],
  { id, body }: DocumentOf<JsonObject>,
  context: ShowContext,
): JsonObject {
  const shown: Record<string, JsonValue> = {};
  for (const module of modules) {
    const config = (body[module.name] ?? null) as JsonObject | null;
    shown[module.name] = config && module.show(config, context, id);
  }
  return shown;
}
