/** Steps of a site whose name or port is known: guards, route, modules and backend, in the order of a real request. */
import type { Hostname } from '../../core/names/hostname.ts';
import type { CompiledRoute } from '../../edge/compile/compile-route.ts';
import type { CompiledSite } from '../../edge/compile/compile-site.ts';
import type { EdgeRules } from '../../edge/edge.ts';
import { maxPasses, passesOf } from '../../edge/http/loops.ts';
import { CopiedFacts } from '../../edge/http/request-facts.ts';
import type { ConnectionFacts, ExplainedGuard } from '../../edge/sites/site.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { explainBackend } from './backend.ts';
import { judgeEdits } from './modules.ts';
import type { ReadRequest } from './request-head.ts';
import { passed, type Trace } from './trace.ts';
import { judgedBy, refused } from './verdicts.ts';

export interface SiteContext {
  readonly trace: Trace;
  readonly rules: EdgeRules;
  readonly site: CompiledSite;
  readonly facts: ConnectionFacts;
  /** Protocol of the connection for the backend. */
  readonly proto: 'http' | 'https' | 'tls' | 'tcp';
  /** Name of the request; null for a port. */
  readonly hostname: Hostname | null;
}

const NO_BODY = Buffer.alloc(0);

/** Explains a request. Returns the status of a configured response; 0 if the backend decides. */
export async function explainRequest(context: SiteContext, read: ReadRequest): Promise<number> {
  const { trace, site, facts, rules } = context;
  const path = site.routesByPath ? read.path : '';
  const route = site.route(path);
  const { own, ofModules } = guardsOf(route);
  const request = new CopiedFacts(read.head, facts, new Map(), route.guards);
  const judge = (guard: ExplainedGuard, resource: string) =>
    trace.addModule(guard.name, resource, async () =>
      judgedBy(await (guard.reads === 'connection' ? guard.preview(facts) : guard.preview(request)), true),
    );
  await addIsolation(context, true);
  for (const guard of own) await judge(guard, site.id);
  await addRoute(context, route, path);
  for (const { guard, carrier } of inOrder(ofModules)) await judge(guard, carrier);
  if (isBroken(route)) await addRefusal(trace, route, true);
  if (passesOf(read.head, rules.settings.domain) >= maxPasses)
    await trace.add('loop', '', () =>
      refused('requestLoops', 'The request has passed this service too often.', true),
    );
  for (const { parts, carrier } of route.made.values())
    for (const guard of parts.bodyGuards ?? [])
      await trace.addModule(guard.name, carrier, () => judgedBy(guard.preview(request, NO_BODY), true));
  for (const [name, { parts, carrier }] of route.made)
    if (parts.guards === undefined && parts.bodyGuards === undefined)
      await trace.addModule(name, carrier, () => judgeEdits(name, route, read));
  const { status } = await explainBackend(trace, route.backend.preview(context), 'http', hintOf(context));
  return status;
}

/** Explains a connection that carries bytes. Returns the status of a configured response; 0 for none. */
export async function explainBytes(context: SiteContext): Promise<number> {
  const { trace, site, facts } = context;
  const route = site.route('');
  const { own, ofModules } = guardsOf(route);
  const all = [...own.map((guard) => ({ guard, carrier: site.id })), ...ofModules];
  for (const { guard, carrier } of all)
    await trace.addModule(guard.name, carrier, () =>
      guard.reads === 'connection'
        ? judgedBy(guard.preview(facts), false)
        : refused('moduleWithoutEffect', 'The module needs HTTP, and the connection carries bytes.', false),
    );
  if (route.refusal !== null) await addRefusal(trace, route, false);
  await addIsolation(context, false);
  const carried = site.tls === null ? 'bytes' : 'bytesInTls';
  const { status } = await explainBackend(trace, route.backend.preview(context), carried, hintOf(context));
  return status;
}

interface OfModule {
  readonly guard: ExplainedGuard;
  /** Id of the document with the module. */
  readonly carrier: string;
}

/** Guards of the whole site, and those of the modules of its route. */
function guardsOf({ guards, made }: CompiledRoute): {
  readonly own: readonly ExplainedGuard[];
  readonly ofModules: readonly OfModule[];
} {
  const ofModules = [...made.values()].flatMap(({ parts, carrier }) =>
    (parts.guards ?? []).map((guard) => ({ guard, carrier })),
  );
  const known = new Set(ofModules.map(({ guard }) => guard));
  return { own: guards.filter((guard) => !known.has(guard)), ofModules };
}

/** Guards of the connection decide before those of requests. */
function inOrder(all: readonly OfModule[]): readonly OfModule[] {
  const ofConnection = all.filter(({ guard }) => guard.reads === 'connection');
  return [...ofConnection, ...all.filter(({ guard }) => guard.reads === 'request')];
}

async function addIsolation({ trace, rules }: SiteContext, isHttp: boolean): Promise<void> {
  if (!rules.isIsolated()) return;
  const why = 'This daemon is cut off from the database, so it serves no visitor.';
  await trace.add('daemon', '', () => refused('nodeIsolated', why, isHttp));
}

/** Routes that exist only to refuse have no id. */
async function addRoute({ trace, site }: SiteContext, route: CompiledRoute, path: string): Promise<void> {
  const reason = site.reasonOfRoute?.(path);
  if (reason === undefined) return;
  const { refusal } = route;
  const isMissing = route.id === '' && refusal !== null;
  await trace.add('route', route.id, () => (isMissing ? refused(refusal, reason, true) : passed(reason)));
}

function isBroken({ id, refusal }: CompiledRoute): boolean {
  return id !== '' && refusal !== null;
}

async function addRefusal(trace: Trace, route: CompiledRoute, isHttp: boolean): Promise<void> {
  const { refusal } = route;
  if (refusal === null) return;
  await trace.add('configuration', route.id, () => refused(refusal, reasons[refusal] ?? otherReason, isHttp));
}

const otherReason = 'The configuration cannot take effect, so no visitor is served.';
const reasons: { readonly [Name in ErrorName]?: string } = {
  moduleWithoutEffect: 'A module that is enabled cannot take effect here, so no visitor is served.',
  modulesOfBoth: 'The agent and the endpoint configuration have the same module, so no visitor is served.',
  fixedResponseNotTerminated: 'A fixed response needs TLS that ends at the edge.',
};

function hintOf({ hostname, rules }: SiteContext): string {
  if (hostname === null || !rules.isAgentExpected(hostname)) return '';
  return ' An agent is expected back, so visitors wait for it for some seconds.';
}
