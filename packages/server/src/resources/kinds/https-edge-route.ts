/** Routes of HTTPS edges: which backend answers a path, and through which modules (specification, section 2.6; open points, part B 1.9). */

import { type MatchFault, matchFault } from '../../core/names/path-match.ts';
import { Type } from '../../core/type.ts';
import type { HttpsEdgeRouteDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { ErrorNeeding } from '../../errors/values.ts';
import type { RuleContext, StoredKind } from '../definition.ts';
import { backendModule, backendReference } from '../modules/backend.ts';
import { circuitBreakerModule } from '../modules/circuit-breaker.ts';
import { compressionModule } from '../modules/compression.ts';
import { requestHeadersModule, responseHeadersModule } from '../modules/headers.ts';
import { ipPolicyReference, ipRestrictionModule } from '../modules/ip-restriction.ts';
import { loginModuleOf, refuseTwoLogins } from '../modules/login-fields.ts';
import { ModuleSet } from '../modules/module-set.ts';
import { oauthModule } from '../modules/oauth.ts';
import { oidcModule } from '../modules/oidc.ts';
import { samlModule } from '../modules/saml.ts';
import { userAgentFilterModule } from '../modules/user-agent-filter.ts';
import { webhookVerificationModule } from '../modules/webhook-verification.ts';
import { websocketTcpConverterModule } from '../modules/websocket-tcp-converter.ts';
import { patterns } from '../patterns.ts';
import { body, choice, common, describedWrite, type Input, optional, required, text } from '../schema.ts';

const modules = new ModuleSet(
  backendModule,
  ipRestrictionModule,
  circuitBreakerModule,
  compressionModule,
  requestHeadersModule,
  responseHeadersModule,
  webhookVerificationModule,
  samlModule,
  oidcModule,
  oauthModule,
  websocketTcpConverterModule,
  userAgentFilterModule,
);

const maxRoutes = 100;
/** It was SAML alone for which it was thought of, and claims are stored. */
const loginClaim = 'https_edge_saml';

const described = describedWrite('routeDescriptionTooLong', 'routeMetadataTooLong');
const matchType = choice(
  ['exact_path', 'path_prefix'],
  'routeMatchTypeInvalid',
  'The comparison of paths: exact_path goes before path_prefix, a longer prefix before a shorter one. A prefix is one of characters, not of segments: "/admin" matches "/administrator", "/admin/" does not.',
);
const match = text(
  512,
  'routeMatchTooLong',
  'The path of a request, or its beginning, percent-decoded and without dot segments. Unique within the edge. The service refuses a path (60251) if a server could read it as one of a route with a guard that the matching route lacks.',
  { pattern: patterns.path },
);

const examples = [{ match_type: 'path_prefix', match: '/', compression: { enabled: true } }];
const create = body(
  {
    ...described,
    match_type: required(matchType, 'routeMatchTypeInvalid'),
    match: required(match, 'routeMatchMissing'),
    ...modules.write,
  },
  { examples },
);
const update = body(
  {
    ...described,
    match_type: optional(matchType),
    match: optional(match),
    ...modules.write,
  },
  { examples },
);

export const httpsEdgeRoute: StoredKind<
  HttpsEdgeRouteDocument,
  Input<typeof create>,
  Input<typeof update>
> = {
  source: 'stored',
  name: 'https_edge_route',
  eventStem: null,
  prefix: 'edghtsrt',
  path: '/edges/https/{edge_id}/routes',
  listKey: 'routes',
  schemaName: 'HTTPSEdgeRoute',
  summary: 'Routes of HTTPS edges',
  description: 'Sends the paths of an HTTPS edge that it matches to a backend, through modules of its own.',
  group: 'Edges',
  one: 'a route of an HTTPS edge',
  operations: ['create', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object(
    {
      edge_id: Type.String({ description: 'The edge that it belongs to.' }),
      ...common,
      match_type: Type.String(),
      match: Type.String(),
      ...modules.read,
    },
    { $id: 'HTTPSEdgeRoute' },
  ),
  modules: modules.list,
  references: [
    {
      field: 'edge_id',
      prefixes: ['edghts'],
      wrongPrefix: 'idPrefixWrong',
      unknown: 'resourceNotFound',
      binding: false,
      parent: true,
    },
    backendReference,
    ipPolicyReference,
  ],

  async parse(input, context) {
    const { description = '', metadata = '', match_type, match } = input;
    const configured = await modules.configure(input, null, context);
    return {
      body: { edge_id: context.parent, description, metadata, match_type, match, ...configured },
    };
  },

  async merge({ body: current }, patch, context) {
    const configured = await modules.configure(patch, current, context);
    return { body: { ...current, ...patch, ...configured } };
  },

  check(route) {
    const { match, match_type } = route;
    refuseTwoLogins(route);
    const fault = matchFault(match, match_type);
    if (fault !== null) throw new Problem(faults[fault], { value: match }, { field: '/match' });
  },

  async guard({ before, after }, context) {
    if (before === null && after !== null && (await isFull(after.edge_id, context))) throw tooMany();
    return [];
  },

  claims(route) {
    const { edge_id, match } = route;
    const claim = { kind: 'https_edge_route', value: `${edge_id}${match}` };
    return loginModuleOf(route) === null ? [claim] : [claim, { kind: loginClaim, value: edge_id }];
  },

  taken({ kind, value }) {
    if (kind === loginClaim) return new Problem('loginOnOtherRoute');
    const match = value.slice(value.indexOf('/'));
    return new Problem('routeMatchTaken', { value: match }, { field: '/match' });
  },

  /** Rejects the second of two routes that were made at once for the last place. */
  async verifyAfterInsert({ id, body }, context) {
    return (await isFull(body.edge_id, context, id)) ? tooMany() : null;
  },

  show(document, context) {
    const { edge_id, match_type, match } = document.body;
    return { edge_id, match_type, match, ...modules.show(document, context) };
  },
};

const faults: Readonly<Record<MatchFault, ErrorNeeding<'value'>>> = {
  'not-absolute': 'routeMatchNotAbsolute',
  encoded: 'routeMatchEncoded',
  character: 'routeMatchCharacter',
  'empty-segment': 'routeMatchEmptySegment',
  'dot-segment': 'routeMatchDotSegment',
};

/** Returns true if the edge has as many routes as it may have. With `before`, an id, only routes made before it count. */
async function isFull(edge: string, context: RuleContext, before?: string): Promise<boolean> {
  const { store, principal } = context;
  const routes = await store.page({
    account: principal.account,
    kind: httpsEdgeRoute.name,
    parent: edge,
    limit: maxRoutes,
    ...(before === undefined ? {} : { before }),
  });
  return routes.length === maxRoutes;
}

function tooMany(): Problem {
  return new Problem('routeCount', { limit: maxRoutes }, { limit: maxRoutes });
}
