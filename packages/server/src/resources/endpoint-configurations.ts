/**
 * Attaches endpoint configurations to reserved domains and reserved addresses (open points, part B 1.7).
 * Invariant: no name has both a configuration and an edge, because each of them alone decides who is served.
 */

import type { EndpointConfigurationDocument } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import type { JsonObject } from '../store/store.ts';
import type { DocumentOf, Reference, RuleContext } from './definition.ts';
import { idOrNone, optional } from './schema.ts';

export interface Attachment {
  /** Fields of the request and of the stored body, with the type that a configuration must have there. */
  readonly types: Readonly<Record<string, EndpointConfigurationDocument['type']>>;
  readonly wrongType: ErrorNeeding<'id' | 'actual' | 'type'>;
  /** Raised when an edge has the name or address already. */
  readonly onEdge: ErrorNeeding<'id' | 'by'>;
}

export const onDomains: Attachment = {
  types: { http_endpoint_configuration_id: 'http', https_endpoint_configuration_id: 'https' },
  wrongType: 'domainConfigurationType',
  onEdge: 'domainOnEdge',
};

export const onAddresses: Attachment = {
  types: { endpoint_configuration_id: 'tcp' },
  wrongType: 'addressConfigurationType',
  onEdge: 'addressOnEdge',
};

const configurationPrefixes = ['ec'];

/** A field that attaches a configuration, or takes it off. */
export function configurationId(description: string) {
  return optional(idOrNone(configurationPrefixes, description));
}

/** A configuration stays while it is attached. */
export function configurationReferences({ types }: Attachment): readonly Reference[] {
  return Object.keys(types).map((field) => ({
    field,
    prefixes: configurationPrefixes,
    wrongPrefix: 'referenceOfWrongKind',
    unknown: 'endpointConfigurationUnknown',
    binding: true,
  }));
}

/** Returns true if anything is attached to what has this stored body. */
export function isConfigured({ types }: Attachment, body: JsonObject): boolean {
  return Object.keys(types).some((field) => typeof body[field] === 'string');
}

/**
 * The fields that a patch changes: "" detaches. Ids that the account does not have are left to the references. Raises Problem.
 */
export async function attach(
  attachment: Attachment,
  document: DocumentOf<JsonObject>,
  patch: Readonly<Record<string, unknown>>,
  context: Pick<RuleContext, 'store' | 'principal'>,
): Promise<Readonly<Record<string, string | null>>> {
  const fields: Record<string, string | null> = {};
  for (const [field, type] of Object.entries(attachment.types)) {
    const id = patch[field];
    if (typeof id !== 'string') continue;
    fields[field] = id === '' ? null : id;
    if (id === '' || id === document.body[field]) continue;
    await refuseOtherType(attachment, id, field, type, context);
    await refuseEdges(attachment, document.id, field, context);
  }
  return fields;
}

async function refuseOtherType(
  { wrongType }: Attachment,
  id: string,
  field: string,
  type: string,
  { store, principal }: Pick<RuleContext, 'store' | 'principal'>,
): Promise<void> {
  const configuration = await store.get(id);
  if (configuration?.kind !== 'endpoint_configuration' || configuration.account !== principal.account) return;
  const { type: actual } = configuration.body;
  if (actual !== type) throw new Problem(wrongType, { id, actual, type }, { field: `/${field}` });
}

async function refuseEdges(
  { onEdge }: Attachment,
  id: string,
  field: string,
  { store }: Pick<RuleContext, 'store'>,
): Promise<void> {
  // Nothing but hostports of edges refers to a reserved name.
  const users = [...new Set((await store.linksTo(id, 100)).map((link) => link.from))];
  if (users.length === 0) return;
  throw new Problem(onEdge, { id, by: users.join(', ') }, { field: `/${field}`, used_by: users });
}
