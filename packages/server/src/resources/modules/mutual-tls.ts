/** The mutual TLS module: which client certificates an edge accepts (specification, section 2.5). */
import { Type } from '../../core/type.ts';
import type { MutualTlsModule } from '../../documents/index.ts';
import type { Reference, StoredModule } from '../definition.ts';
import { body, enabled, exampleId, type Input, idOf, optional, Ref } from '../schema.ts';

const prefixes = ['ca'];

const what = 'Client certificates that visitors must show.';

const write = body(
  {
    enabled,
    certificate_authority_ids: optional(
      Type.Array(idOf(prefixes, 'A certificate authority.'), {
        maxItems: 10,
        default: [],
        'x-error': 'certificateAuthorityCount',
        description: 'The authorities that may have signed them. Without any, none is accepted.',
      }),
    ),
  },
  { description: what, examples: [{ certificate_authority_ids: [exampleId('ca')] }] },
);

export const mutualTlsModule = {
  name: 'mutual_tls',
  schemaName: 'EndpointMutualTLS',
  summary: 'Mutual TLS',
  write,
  read: Type.Object(
    {
      enabled: Type.Boolean(),
      certificate_authorities: Type.Array(Ref, { description: 'The authorities that may have signed them.' }),
    },
    { description: what },
  ),
  parse(input) {
    const ids = [...new Set(input.certificate_authority_ids ?? [])];
    return { enabled: input.enabled ?? true, certificate_authority_ids: ids };
  },
  show({ enabled, certificate_authority_ids }, { ref }) {
    return { enabled, certificate_authorities: certificate_authority_ids.map((id) => ref(id)) };
  },
} as const satisfies StoredModule<MutualTlsModule, Input<typeof write>>;

export const certificateAuthorityReference: Reference = {
  field: 'mutual_tls.certificate_authority_ids.*',
  prefixes,
  wrongPrefix: 'notCertificateAuthorityId',
  unknown: 'certificateAuthorityUnknown',
  binding: true,
};
