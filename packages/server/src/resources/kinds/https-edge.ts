/** HTTPS edges: reserved domains that are served over HTTPS, each path by the route that it matches (specification, section 2.6). */
import { Type } from '../../core/type.ts';
import type { HttpsEdgeDocument } from '../../documents/index.ts';
import type { JsonObject } from '../../store/store.ts';
import type { StoredKind } from '../definition.ts';
import { domainHostportsField, domainReference, resolveDomains } from '../domain-hostports.ts';
import {
  formatHostport,
  hostportClaims,
  hostportPlaces,
  hostportTaken,
  withEndpoints,
} from '../hostports.ts';
import { everyDocument } from '../list.ts';
import { httpsTerminationModule } from '../modules/https-termination.ts';
import { ModuleSet } from '../modules/module-set.ts';
import { certificateAuthorityReference, mutualTlsModule } from '../modules/mutual-tls.ts';
import { body, common, describedWrite, type Input } from '../schema.ts';
import { showDocument } from '../show.ts';
import { httpsEdgeRoute } from './https-edge-route.ts';

const modules = new ModuleSet(mutualTlsModule, httpsTerminationModule);

const write = body(
  {
    ...describedWrite('edgeDescriptionTooLong', 'edgeMetadataTooLong'),
    hostports: domainHostportsField,
    ...modules.write,
  },
  { examples: [{ description: 'The web shop', tls_termination: { min_version: '1.2' } }] },
);

type Fields = Input<typeof write>;

export const httpsEdge: StoredKind<HttpsEdgeDocument, Fields, Fields> = {
  source: 'stored',
  name: 'https_edge',
  eventStem: null,
  prefix: 'edghts',
  path: '/edges/https',
  listKey: 'https_edges',
  schemaName: 'HTTPSEdge',
  summary: 'HTTPS edges',
  description: 'Serves HTTPS on reserved domains. Its routes name the backends and the modules.',
  group: 'Edges',
  one: 'an HTTPS edge',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create: write,
  update: write,
  read: Type.Object({
    ...common,
    hostports: Type.Array(Type.String()),
    ...modules.read,
    routes: Type.Array(httpsEdgeRoute.read, { description: 'Its routes, newest first.' }),
  }),
  modules: modules.list,
  references: [certificateAuthorityReference, domainReference],

  async parse(input, context) {
    const { description = '', metadata = '' } = input;
    const hostports = await resolveDomains(input.hostports ?? [], [], context, 'hostportIsAddressForHttps');
    const configured = await modules.configure(input, null, context);
    return withEndpoints<HttpsEdgeDocument>({ description, metadata, hostports, ...configured });
  },

  async merge({ body: current }, patch, context) {
    const { description = current.description, metadata = current.metadata } = patch;
    const hostports =
      patch.hostports === undefined
        ? current.hostports
        : await resolveDomains(patch.hostports, current.hostports, context, 'hostportIsAddressForHttps');
    const configured = await modules.configure(patch, current, context);
    return withEndpoints<HttpsEdgeDocument>({ ...current, description, metadata, hostports, ...configured });
  },

  claims: hostportClaims,
  places: (body) => hostportPlaces(body, ({ hostname }) => hostname),
  taken: hostportTaken,

  showsOthers: true,
  async show(document, context) {
    const { id, account } = document;
    const routes: JsonObject[] = [];
    for await (const route of everyDocument(context.store, account, httpsEdgeRoute.name, id))
      routes.push(await showDocument(httpsEdgeRoute, route, context));
    const hostports = document.body.hostports.map(formatHostport);
    return { hostports, ...modules.show(document, context), routes };
  },
};
