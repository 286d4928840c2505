/** Endpoint configurations: modules for what agents bind on a reserved name (open points, decision 18 and part B 1.7). */
import { Type } from '../../core/type.ts';
import type { EndpointConfigurationDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { StoredKind } from '../definition.ts';
import { backendModule, backendReference } from '../modules/backend.ts';
import { basicAuthModule } from '../modules/basic-auth.ts';
import { circuitBreakerModule } from '../modules/circuit-breaker.ts';
import { compressionModule } from '../modules/compression.ts';
import { requestHeadersModule, responseHeadersModule } from '../modules/headers.ts';
import { ipPolicyReference, ipRestrictionModule } from '../modules/ip-restriction.ts';
import { refuseTwoLogins } from '../modules/login-fields.ts';
import { configurationIn, ModuleSet } from '../modules/module-set.ts';
import { certificateAuthorityReference, mutualTlsModule } from '../modules/mutual-tls.ts';
import { oauthModule } from '../modules/oauth.ts';
import { oidcModule } from '../modules/oidc.ts';
import { samlModule } from '../modules/saml.ts';
import { tlsTerminationModule } from '../modules/tls-termination.ts';
import { userAgentFilterModule } from '../modules/user-agent-filter.ts';
import { webhookVerificationModule } from '../modules/webhook-verification.ts';
import { websocketTcpConverterModule } from '../modules/websocket-tcp-converter.ts';
import { body, choice, common, describedWrite, type Input, required } from '../schema.ts';

type Document = EndpointConfigurationDocument;

/** The IP restriction module of edges under its other name. */
const ipPolicyModule = { ...ipRestrictionModule, name: 'ip_policy', summary: 'IP policy' } as const;

/** The same is so of webhook verification. */
const webhookValidationModule = { ...webhookVerificationModule, name: 'webhook_validation' } as const;

const modules = new ModuleSet(
  basicAuthModule,
  circuitBreakerModule,
  compressionModule,
  requestHeadersModule,
  responseHeadersModule,
  ipPolicyModule,
  mutualTlsModule,
  tlsTerminationModule,
  webhookValidationModule,
  samlModule,
  oidcModule,
  oauthModule,
  websocketTcpConverterModule,
  userAgentFilterModule,
  backendModule,
);

const described = describedWrite('configurationDescriptionTooLong', 'configurationMetadataTooLong');
const fields = {
  ...described,
  ...modules.write,
};

const types = ['http', 'https', 'tcp'] as const;
const type = required(
  choice([...types], 'configurationTypeInvalid', 'The kind of resource that it can be attached to.'),
  'configurationTypeMissing',
);
/** Modules for TCP connections of any content. */
const forTcp: ReadonlySet<string> = new Set(['ip_policy', 'backend']);
const forTls: ReadonlySet<string> = new Set(['mutual_tls', 'tls_termination']);

const create = body(
  { type, ...fields },
  {
    examples: [{ type: 'https', compression: { enabled: true } }],
    allOf: types.flatMap((one) => without(one, impossible(one))),
  },
);
const update = body(fields, { examples: [{ description: 'For the web shop' }] });

export const endpointConfiguration: StoredKind<Document, Input<typeof create>, Input<typeof update>> = {
  source: 'stored',
  name: 'endpoint_configuration',
  eventStem: null,
  prefix: 'ec',
  path: '/endpoint_configurations',
  listKey: 'endpoint_configurations',
  schemaName: 'EndpointConfiguration',
  summary: 'Endpoint configurations',
  description: 'Modules for what agents serve on a reserved domain or address that no edge has.',
  group: 'Names and addresses',
  one: 'an endpoint configuration',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    type: Type.String(),
    ...modules.read,
  }),
  modules: modules.list,
  references: [
    backendReference,
    { ...ipPolicyReference, field: 'ip_policy.ip_policy_ids.*', unknown: 'configurationPolicyUnknown' },
    { ...certificateAuthorityReference, unknown: 'configurationAuthorityUnknown' },
  ],
  isConfiguration: true,
  inUse: 'configurationInUse',

  async parse(input, context) {
    const { type, description = '', metadata = '' } = input;
    return {
      body: { type, description, metadata, ...(await modules.configure(input, null, context)) },
    };
  },

  async merge({ body: current }, patch, context) {
    const { description = current.description, metadata = current.metadata } = patch;
    const configured = await modules.configure(patch, current, context);
    return { body: { ...current, description, metadata, ...configured } };
  },

  check(body) {
    refuseTwoLogins(body);
    for (const { name } of modules.list) {
      const config = configurationIn(body, name);
      if (config === null) continue;
      if (!isPossible(body.type, name)) {
        const values = { module: name, type: body.type };
        throw new Problem('moduleNotForType', values, { field: `/${name}` });
      }
      if (config.enabled) refuseUnseen(body, name);
    }
  },

  show(document, context) {
    return { type: document.body.type, ...modules.show(document, context) };
  },
};

/** Schema keyword: configurations of one type have none of these modules. */
function without(type: Document['type'], names: readonly string[]): object[] {
  const absent = Object.fromEntries(names.map((name) => [name, { type: 'null' }]));
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
  const rule = { if: { properties: { type: { const: type } } }, then: { properties: absent } };
  return names.length === 0 ? [] : [rule];
}

function impossible(type: Document['type']): readonly string[] {
  return modules.list.filter(({ name }) => !isPossible(type, name)).map(({ name }) => name);
}

function isPossible(type: Document['type'], module: string): boolean {
  if (type === 'tcp') return forTcp.has(module);
  return type === 'https' || !forTls.has(module);
}

/**
 * The edge terminates TLS unless the configuration passes it through. With passthrough most modules have nothing to
 * act on.
 */
function refuseUnseen({ tls_termination }: Document, module: string): void {
  const passesThrough = tls_termination?.enabled === true && tls_termination.terminate_at === 'upstream';
  if (!passesThrough || forTcp.has(module) || module === tlsTerminationModule.name) return;
  const name = module === mutualTlsModule.name ? 'mutualTlsNotTerminated' : 'configurationNotTerminated';
  throw new Problem(name, { module }, { field: `/${module}` });
}
