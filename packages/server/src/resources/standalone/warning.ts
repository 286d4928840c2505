/** Warnings about an account's configuration and its service. The codes are published: one may be added, none renamed. */
import { type Static, Type } from '../../core/type.ts';
import { nullable } from '../schema.ts';

/** Meanings of the codes, the most urgent first. */
export const warningCodes = {
  certificate_failed: 'The certificate of a name cannot be obtained or renewed.',
  certificate_ended: 'The certificate of a name is no longer valid.',
  event_target_failing: 'The target of events does not accept them.',
  node_not_ready: 'A daemon of the service takes no new traffic.',
  domain_not_proven: 'A name is not served, because its DNS does not lead to this service.',
  certificate_ends: 'The certificate of a name ends soon, and nothing renews it.',
  backend_without_agent: 'No agent serves the backend of an edge or a route.',
  name_without_agent: 'Neither an agent nor an edge serves a name or an address.',
  certificate_without_authority: 'The service has no authority for the certificate that a name should have.',
  edge_without_name: 'An edge has no name, so no request reaches it.',
  edge_without_backend: 'An edge has no backend, or a disabled one.',
  edge_without_route: 'An edge has no route.',
  route_without_backend: 'A route has no backend, or a disabled one.',
  restriction_not_enforced: 'An IP restriction only logs.',
  certificate_unused: 'No name uses a certificate.',
  subscription_without_destination: 'The events of a subscription go nowhere.',
  subscription_without_source: 'A subscription selects no events.',
} as const;
export type WarningCode = keyof typeof warningCodes;
export const codesInOrder = Object.keys(warningCodes) as readonly WarningCode[];

const Resource = Type.Object(
  {
    kind: Type.String({ description: 'Kind of the resource, such as `https_edge`.' }),
    id: Type.String({ description: 'Id of the resource.' }),
    uri: Type.String({ description: 'URL of the resource.' }),
  },
  { $id: 'WarningResource' },
);

export const WarningSchema = Type.Object(
  {
    code: Type.Enum([...codesInOrder], {
      type: 'string',
      description: `Condition. ${Object.entries(warningCodes)
        .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
        .join(' ')}`,
    }),
    resource: nullable(Resource),
    name: Type.String({ description: 'Name, address or daemon that the warning is about; "" for none.' }),
    msg: Type.String({ description: 'The condition in a sentence.' }),
    remedy: Type.String({ description: 'The remedy in a sentence.' }),
  },
  { $id: 'Warning' },
);
export type WarningFacts = Omit<Static<typeof WarningSchema>, 'code' | 'resource'> & {
  readonly code: WarningCode;
  /** `parent`: id of the resource that it belongs to; '' for none. */
  readonly resource: { readonly kind: string; readonly id: string; readonly parent: string } | null;
};
