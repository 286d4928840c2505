/** The mutual TLS module: which client certificates an edge accepts (specification, section 2.5). */
import Type from 'typebox';
import type { Reference, StoredModule } from '../definition.ts';
import type { MutualTlsModule } from '../documents.ts';
import { body, enabled, type Input, idOf, optional, Ref } from '../schema.ts';

const prefixes = ['ca'];

const write = body({
  enabled,
  certificate_authority_ids: optional(
    Type.Array(idOf(prefixes), {
      maxItems: 10,
      'x-error': 'certificateAuthorityCount',
      description: 'Without any, no client certificate is accepted.',
    }),
  ),
});

export const mutualTlsModule = {
  name: 'mutual_tls',
  schemaName: 'EndpointMutualTLS',
  summary: 'Mutual TLS',
  write,
  read: Type.Object({ enabled: Type.Boolean(), certificate_authorities: Type.Array(Ref) }),
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
