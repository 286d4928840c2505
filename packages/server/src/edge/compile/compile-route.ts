/**
 * Compiles a route from the modules of a document.
 * Invariant: every enabled module takes effect. A module that this version does not know or apply refuses traffic.
 */
import { isDeepStrictEqual } from 'node:util';
import type { BackendModule } from '../../documents/index.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { otherModules, type RouteModuleName, routeModules } from '../modules/index.ts';
import type { EdgeModule, RouteParts } from '../modules/module.ts';
import type { Look } from '../sites/look.ts';
import type { ExplainedBackend, ExplainedBodyGuard, ExplainedGuard, Route } from '../sites/site.ts';

/** Inputs of a part, for the next compilation of the same route. */
export interface Made {
  readonly config: unknown;
  readonly parts: RouteParts;
  /** See Compilation. */
  readonly carrier: string;
}

export interface CompiledRoute extends Route {
  readonly made: ReadonlyMap<RouteModuleName, Made>;
  readonly guards: readonly ExplainedGuard[];
  readonly bodyGuards: readonly ExplainedBodyGuard[];
  readonly backend: ExplainedBackend;
  /** Its modules that keep visitors out, each with its configuration. */
  readonly protections: ReadonlySet<string>;
}

/** The fields of a document, of which some are modules. */
export type ModuleFields = Readonly<Record<string, unknown>>;

export interface RouteOptions {
  readonly id: string;
  /** See Compilation. */
  readonly account: string;
  readonly place: string;
  readonly fields: ModuleFields;
  /** The id of the document that a field is of; absent: that of the route. */
  readonly carrierOf?: (field: string) => string;
  readonly look: Look;
  readonly backend: ExplainedBackend;
  /** Modules of the whole site, which come before the route's own. */
  readonly siteParts?: RouteParts;
  readonly before: CompiledRoute | undefined;
}

/** Enabled modules by their names here; null for one that this version does not know. */
function enabledModules(fields: ModuleFields): ReadonlyMap<string, unknown> | null {
  const enabled = new Map<string, unknown>();
  for (const [field, value] of Object.entries(fields)) {
    if (!isEnabled(value)) continue;
    const name = Object.hasOwn(otherModules, field)
      ? otherModules[field as keyof typeof otherModules]
      : field;
    if (name === null) continue;
    if (!Object.hasOwn(routeModules, name)) return null;
    enabled.set(name, value);
  }
  return enabled;
}

export function compileRoute(options: RouteOptions): CompiledRoute {
  const { id, account, place, fields, carrierOf = () => id, look, backend, siteParts, before } = options;
  const made = new Map<RouteModuleName, Made>();
  const enabled = enabledModules(fields);
  const protections = new Set<string>(enabled === null ? [`unknown ${id}`] : []);
  let refusal: ErrorName | null = enabled === null ? 'moduleWithoutEffect' : null;
  const sameBackend = before?.backend.id === backend.id;
  for (const [name, module] of Object.entries(routeModules)) {
    const config = enabled?.get(name);
    if (config === undefined) continue;
    if (module === null) {
      refusal = 'moduleWithoutEffect';
      protections.add(protectionOf(name, config));
      continue;
    }
    const known = before?.made.get(name as RouteModuleName);
    const isSame = sameBackend && isDeepStrictEqual(known?.config, config);
    // The list's type ensures that each module has its own configuration's name.
    const carrier = carrierOf(name);
    const parts = (module as EdgeModule<unknown>).compile(config, {
      look,
      account,
      place,
      carrier,
      before: isSame ? known?.parts : undefined,
    });
    made.set(name as RouteModuleName, { config, parts, carrier });
    if (protects(parts)) protections.add(protectionOf(name, config));
  }
  const parts = [siteParts ?? {}, ...[...made.values()].map((one) => one.parts)];
  const guards = parts.flatMap((one) => one.guards ?? []);
  const bodyGuards = parts.flatMap((one) => one.bodyGuards ?? []);
  const requestEdits = parts.flatMap((one) => one.requestEdits ?? []);
  const responseEdits = parts.flatMap((one) => one.responseEdits ?? []);
  const bodyStages = parts.flatMap((one) => one.bodyStages ?? []);
  return {
    id,
    refusal,
    guards,
    bodyGuards,
    isGuarded: protections.size > 0 || protects(siteParts ?? {}),
    requestEdits,
    responseEdits,
    bodyStages,
    readsRequest:
      guards.some(({ reads }) => reads === 'request') ||
      bodyGuards.length > 0 ||
      bodyStages.length > 0 ||
      [...requestEdits, ...responseEdits].some(({ readsRequest }) => readsRequest),
    watches: parts.flatMap((one) => one.watches ?? []),
    converter: parts.find((one) => one.converter !== undefined)?.converter ?? null,
    backend,
    made,
    protections,
  };
}

function protects({ guards = [], bodyGuards = [], isForBackend }: RouteParts): boolean {
  return isForBackend !== true && guards.length + bodyGuards.length > 0;
}

function protectionOf(name: string, config: unknown): string {
  return `${name} ${JSON.stringify(config)}`;
}

/** Returns the backend that a module names. A missing backend returns its reason when it is picked. */
export function backendOf(module: BackendModule | null, look: Look): ExplainedBackend {
  return look.backend(module?.enabled === true ? module.backend_id : '');
}

/** `value` is a field of a document. */
export function isEnabled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'enabled' in value && value.enabled === true;
}
