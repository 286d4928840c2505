import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Type } from '../core/type.ts';
import { resourceSurfaces } from '../resources/kinds/index.ts';
import { startApi } from './api.fixture.ts';
import { openApiDocument } from './openapi.ts';
import { widgets } from './samples.fixture.ts';

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly 'x-refers-to'?: readonly string[];
  readonly 'x-multiline'?: boolean;
  readonly 'x-immutable'?: boolean;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, unknown>>;
}

interface PathItem {
  readonly parameters: readonly Parameter[];
  readonly get?: Operation;
}

/** The parts of the document that these tests check. */
interface Document {
  readonly security: unknown;
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly 'x-kinds': Readonly<Record<string, { readonly tag: string; readonly collection: string }>>;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/** The document as its readers get it: from its text. */
function documentOf(kinds: Parameters<typeof openApiDocument>[0]): Document {
  return JSON.parse(
    JSON.stringify(openApiDocument(kinds, { baseUrl: 'https://x', versionHeaders: ['V'] })),
  ) as Document;
}

/** The operations of a path, without their common parameters. */
function operationsOf({ parameters: _, ...operations }: PathItem): [method: string, operation: Operation][] {
  return Object.entries(operations);
}

async function served(t: Parameters<typeof startApi>[0]): Promise<Document> {
  const { request } = await startApi(t);
  const answer = await request('GET', '/openapi.json', {
    authorization: undefined,
    'service-version': undefined,
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/json');
  return JSON.parse(answer.text) as Document;
}

test('the document is served to anyone and is valid OpenAPI 3.1', async (t) => {
  const document = await served(t);
  const validator = new Validator();
  const result = await validator.validate(structuredClone({ ...document }));
  assert.deepEqual(result.errors, undefined);
  assert.equal(result.valid, true);
  assert.equal(validator.version, '3.1');
});

test('every operation of every kind is in it, and nothing else', async (t) => {
  const { paths } = await served(t);
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    operationsOf(item).map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
  );
  assert.deepEqual(operations, [
    'GET /samples/widgets widget_list',
    'POST /samples/widgets widget_create',
    'GET /samples/widgets/{id} widget_get',
    'PATCH /samples/widgets/{id} widget_update',
    'DELETE /samples/widgets/{id} widget_delete',
    'GET /samples/widgets/{id}/cover widget_cover_get',
    'PUT /samples/widgets/{id}/cover widget_cover_put',
    'DELETE /samples/widgets/{id}/cover widget_cover_delete',
    'GET /samples/widgets/{id}/link widget_link_get',
    'PUT /samples/widgets/{id}/link widget_link_put',
    'DELETE /samples/widgets/{id}/link widget_link_delete',
    'DELETE /samples/widgets/{id}/owner widget_owner_delete',
    'GET /samples/widgets/{id}/used_by widget_used_by',
    'GET /samples/widgets/{id}/size widget_size',
    'POST /samples/widgets/{id}/weigh widget_weigh',
    'GET /gadgets gadget_list',
    'GET /gadgets/{id} gadget_get',
    'GET /notes note_list',
    'POST /notes/{id}/try note_try',
    'DELETE /notes/{id} note_delete',
  ]);
});

test('schemas with a name stand once and are referred to', async (t) => {
  const { components } = await served(t);
  const schemas = components.schemas;
  assert.deepEqual(Object.keys(schemas).sort(), [
    'Cover',
    'Error',
    'ErrorDetails',
    'Gadget',
    'GadgetList',
    'Link',
    'LinkMutate',
    'Note',
    'NoteList',
    'NoteTry',
    'Ref',
    'Size',
    'Tried',
    'UsedBy',
    'UsedByList',
    'Weight',
    'Widget',
    'WidgetCreate',
    'WidgetList',
    'WidgetUpdate',
  ]);
  assert.deepEqual(schemas.Widget!.properties!.friend, {
    anyOf: [{ $ref: '#/components/schemas/Ref' }, { type: 'null' }],
    readOnly: true,
  });
  assert.deepEqual(schemas.Widget!.properties!.labels, {
    type: 'object',
    additionalProperties: { type: 'string' },
    readOnly: true,
  });
  assert.deepEqual(schemas.Link!.properties!.gadget, { $ref: '#/components/schemas/Ref', readOnly: true });
  assert.doesNotMatch(JSON.stringify(schemas), /\$id|x-error|x-missing/);
});

test('the version header, the bearer key and the errors are part of every operation', async (t) => {
  const { paths, components, security } = await served(t);
  assert.deepEqual(security, [{ bearer: [] }]);
  assert.equal(components.parameters.Version!.name, 'Service-Version');
  for (const item of Object.values(paths)) {
    assert.ok(JSON.stringify(item.parameters).includes('#/components/parameters/Version'));
    for (const [, { responses }] of operationsOf(item))
      for (const status of ['400', '401', '403', '429', '500', '503']) assert.ok(responses[status], status);
  }
});

test('modules and elements have their names also inside a resource', () => {
  const part = Type.Object({ size: Type.Integer() });
  const link = widgets.modules.find(({ name }) => name === 'link');
  assert.ok(link !== undefined);
  const kind = {
    ...widgets,
    read: Type.Object({
      link: Type.Union([link.read, Type.Null()]),
      other: link.read,
      others: Type.Array(part),
    }),
    create: Type.Object({ link: Type.Optional(Type.Union([link.write, Type.Null()])) }),
    elements: {
      name: 'others',
      parameter: 'widget_id',
      key: 'size',
      schemaName: 'Other',
      summary: 'Others of a widget',
      one: 'another part of a widget',
      create: Type.Object({}),
      update: Type.Object({}),
      read: part,
    },
  };
  const { Widget, WidgetCreate, WidgetOther, Link } = schemasOf(kind);
  const { link: read, other, others } = Widget!.properties!;
  assert.deepEqual(read!.anyOf, [{ $ref: '#/components/schemas/Link' }, { type: 'null' }]);
  assert.deepEqual(others!.items, { $ref: '#/components/schemas/Other' });
  assert.equal(other!.$ref, '#/components/schemas/WidgetOther', 'only under the name of the module');
  assert.deepEqual(Object.keys(WidgetOther!.properties!), Object.keys(Link!.properties!));
  assert.deepEqual(WidgetCreate!.properties!.link!.anyOf, [
    { $ref: '#/components/schemas/LinkMutate' },
    { type: 'null' },
  ]);
});

test('a field that may be null carries its description itself', () => {
  const name = Type.Union([Type.String({ maxLength: 3, description: 'A text for people.' }), Type.Null()]);
  const { Widget } = schemasOf({ ...widgets, read: Type.Object({ name }) });
  assert.deepEqual(Widget!.properties!.name, {
    description: 'A text for people.',
    anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }],
    readOnly: true,
  });
});

test('the parameters of a path say what they are', async (t) => {
  const { paths } = await served(t);
  const [, id] = paths['/samples/widgets/{id}']!.parameters;
  assert.equal(id!.description, 'The id of the resource: "widget_" and 27 letters and digits.');
  assert.deepEqual(id!.schema, {
    type: 'string',
    pattern: '^widget_[0-9A-Za-z]{27}$',
    'x-refers-to': ['widget'],
  });
});

test('the parameters of a path below another name the ids of either', () => {
  const { create: _create, update: _update, ...rest } = widgets;
  const pots = {
    ...rest,
    name: 'pot',
    prefix: 'pot',
    path: '/samples/widgets/{widget_id}/pots',
    modules: [],
  };
  const { paths } = documentOf([widgets, { ...pots, schemaName: 'Pot' }]);
  const [, parent, id] = paths['/samples/widgets/{widget_id}/pots/{id}']!.parameters;
  assert.equal(parent!.schema.pattern, '^widget_[0-9A-Za-z]{27}$');
  assert.equal(id!.schema.pattern, '^pot_[0-9A-Za-z]{27}$');
});

test('the page parameter before_id is an id of the kind that is listed', async (t) => {
  const { paths, components } = await served(t);
  const [limit, before] = paths['/gadgets']!.get!.parameters!;
  assert.deepEqual(limit, { $ref: '#/components/parameters/Limit' });
  assert.deepEqual(before, { $ref: '#/components/parameters/BeforeGadget' });
  assert.deepEqual(components.parameters.BeforeGadget!.schema, {
    type: 'string',
    pattern: '^gadget_[0-9A-Za-z]{27}$',
  });
});

test('every field of every schema is described, and so is every parameter, every tag and every kind', () => {
  const { tags, paths, components } = documentOf(resourceSurfaces);
  const undescribed: string[] = [];
  const look = ({ properties = {}, anyOf = [], items }: Schema, at: string): void => {
    for (const [name, field] of Object.entries(properties)) {
      if (field.description === undefined) undescribed.push(`${at}.${name}`);
      look(field, `${at}.${name}`);
    }
    for (const part of anyOf) look(part, at);
    if (items !== undefined) look(items, at);
  };
  for (const [name, schema] of Object.entries(components.schemas)) look(schema, name);
  const parameters = [
    ...Object.values(components.parameters),
    ...Object.values(paths).flatMap((item) => item.parameters),
  ];
  for (const one of parameters) if (one.$ref === undefined && !one.description) undescribed.push(one.name);
  for (const { name, description } of tags) if (!description) undescribed.push(name);
  assert.deepEqual(undescribed, []);
});

test('nothing in the document stops a generator of clients: values have names of their own, parameters are no constants, maps no defaults', () => {
  const mapDefaults: string[] = [];
  JSON.stringify(documentOf(resourceSurfaces), (key, part: unknown) => {
    if (typeof part !== 'object' || part === null) return part;
    if ('enum' in part && Array.isArray(part.enum)) {
      const own = 'x-enum-varnames' in part ? (part['x-enum-varnames'] as readonly string[]) : null;
      const names = own ?? part.enum.map((value) => String(value).toUpperCase());
      assert.equal(new Set(names).size, part.enum.length, `names of ${part.enum.slice(0, 3).join(', ')}`);
      for (const name of own ?? []) assert.match(name, /^[A-Z][A-Z0-9_]*$/);
    }
    if ('in' in part && 'schema' in part) assert.doesNotMatch(JSON.stringify(part.schema), /"const"/);
    if ('default' in part && typeof part.default === 'object' && !Array.isArray(part.default))
      mapDefaults.push(key);
    return part;
  });
  assert.deepEqual(mapDefaults, []);
});

test('each kind stands in one group, and says where its resources are', () => {
  const { 'x-tagGroups': groups, 'x-kinds': kinds } = documentOf(resourceSurfaces);
  const tags = groups.flatMap(({ tags }) => tags);
  assert.deepEqual(tags.sort(), resourceSurfaces.map(({ summary }) => summary).sort());
  assert.deepEqual(groups[0], {
    name: 'Backends',
    tags: [
      ...['HTTP response backends', 'Tunnel group backends', 'Failover backends', 'Weighted backends'],
      'Static backends',
    ],
  });
  assert.equal(kinds.https_edge_route?.collection, '/edges/https/{edge_id}/routes');
});

test('marks say what a form needs: kinds of ids, secrets, texts of several lines, what cannot change', () => {
  const document = documentOf(resourceSurfaces);
  const { schemas } = document.components;
  const field = (schema: string, name: string) => schemas[schema]!.properties![name]!;
  assert.deepEqual(field('IPPolicyRuleCreate', 'ip_policy_id')['x-refers-to'], ['ip_policy']);
  assert.deepEqual(field('CredentialCreate', 'owner_id')['x-refers-to'], [
    'user',
    'bot_user',
    'service_user',
  ]);
  assert.deepEqual(field('WeightedBackendCreate', 'backends').propertyNames!['x-refers-to'], [
    ...['http_response_backend', 'tunnel_group_backend', 'static_backend'],
  ]);
  assert.equal(field('TLSCertificateCreate', 'private_key_pem').writeOnly, true);
  assert.equal(field('TLSCertificateCreate', 'private_key_pem')['x-multiline'], true);
  assert.equal(field('TLSCertificateCreate', 'private_key_pem')['x-immutable'], true);
  assert.equal(field('IPPolicyRuleCreate', 'cidr')['x-immutable'], undefined);
  assert.equal(field('ReservedDomainUpdate', 'region')['x-immutable'], true);
  assert.equal(field('ReservedDomainCreate', 'region').default, 'us');
  assert.equal(field('ReservedDomainUpdate', 'region').default, undefined, 'an update changes what it names');
  assert.equal(field('EndpointCompressionMutate', 'enabled').default, true);
  assert.equal(field('Credential', 'created_at').readOnly, true);
  assert.equal(field('Credential', 'acl').readOnly, undefined);
  assert.doesNotMatch(JSON.stringify(document), /x-error|x-missing|x-here|x-id-prefixes/);
});

function schemasOf(kind: Parameters<typeof openApiDocument>[0][number]): Document['components']['schemas'] {
  return documentOf([kind]).components.schemas;
}
