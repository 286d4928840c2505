/** HTTPS edges: reserved domains that are served over HTTPS, each path by the route that it matches (specification, section 2.6). */
import Type from 'typebox';
import type { HttpsEdgeDocument } from '../../documents/index.ts';
import type { JsonObject } from '../../store/store.ts';
import type { StoredKind } from '../definition.ts';
import { domainHostportsField, domainReference, resolveDomains } from '../domain-hostports.ts';
import { formatHostport, hostportClaims, hostportTaken, withEndpoints } from '../hostports.ts';
import { everyDocument } from '../list.ts';
import { configure, showModules } from '../modules/configure.ts';
import { httpsTerminationModule } from '../modules/https-termination.ts';
import { certificateAuthorityReference, mutualTlsModule } from '../modules/mutual-tls.ts';
import { body, common, describedWrite, type Input, nullable, optional } from '../schema.ts';
import { showDocument } from '../show.ts';
import { httpsEdgeRoute } from './https-edge-route.ts';

const write = body(
  {
    ...describedWrite('edgeDescriptionTooLong', 'edgeMetadataTooLong'),
    hostports: domainHostportsField,
    mutual_tls: optional(mutualTlsModule.write),
    tls_termination: optional(httpsTerminationModule.write),
  },
  { examples: [{ description: 'The web shop', tls_termination: { min_version: '1.2' } }] },
);

type Fields = Input<typeof write>;

const modules = [mutualTlsModule, httpsTerminationModule];
type Modules = Pick<HttpsEdgeDocument, 'mutual_tls' | 'tls_termination'>;

export const httpsEdge: StoredKind<HttpsEdgeDocument, Fields, Fields> = {
  source: 'stored',
  name: 'https_edge',
  prefix: 'edghts',
  path: '/edges/https',
  listKey: 'https_edges',
  schemaName: 'HTTPSEdge',
  summary: 'HTTPS edges',
  description:
    'Serves HTTPS on reserved domains. Which backend answers, and through which modules, is what its routes say.',
  group: 'Edges',
  one: 'an HTTPS edge',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create: write,
  update: write,
  read: Type.Object({
    ...common,
    hostports: Type.Array(Type.String()),
    mutual_tls: nullable(mutualTlsModule.read),
    tls_termination: nullable(httpsTerminationModule.read),
    routes: Type.Array(httpsEdgeRoute.read, { description: 'Its routes, newest first.' }),
  }),
  modules,
  references: [certificateAuthorityReference, domainReference],

  async parse(input, context) {
    const { description = '', metadata = '' } = input;
    const hostports = await resolveDomains(input.hostports ?? [], [], context, 'hostportIsAddressForHttps');
    const configured = await configure<Modules>(modules, input, null, context);
    return withEndpoints<HttpsEdgeDocument>({ description, metadata, hostports, ...configured });
  },

  async merge({ body: current }, patch, context) {
    const { description = current.description, metadata = current.metadata } = patch;
    const hostports =
      patch.hostports === undefined
        ? current.hostports
        : await resolveDomains(patch.hostports, current.hostports, context, 'hostportIsAddressForHttps');
    const configured = await configure<Modules>(modules, patch, current, context);
    return withEndpoints<HttpsEdgeDocument>({ description, metadata, hostports, ...configured });
  },

  claims: hostportClaims,
  taken: hostportTaken,

  async show(document, context) {
    const { id, account } = document;
    const routes: JsonObject[] = [];
    for await (const route of everyDocument(context.store, account, httpsEdgeRoute.name, id))
      routes.push(await showDocument(httpsEdgeRoute, route, context));
    const hostports = document.body.hostports.map(formatHostport);
    return { hostports, ...showModules(modules, document, context), routes };
  },
};
