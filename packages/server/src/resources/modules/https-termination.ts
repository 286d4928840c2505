/** The TLS termination module of HTTPS edges, which always terminate at the edge (open points, part B 1.8). */
import Type from 'typebox';
import { Problem } from '../../errors/problem.ts';
import type { StoredModule } from '../definition.ts';
import type { HttpsTerminationModule } from '../documents.ts';
import { body, enabled, type Input, notBlank, optional } from '../schema.ts';
import { minVersion } from './tls-termination.ts';

const write = body({
  enabled,
  terminate_at: optional(
    notBlank(Type.String({ description: 'Cannot be given: an HTTPS edge always terminates TLS itself.' })),
  ),
  min_version: minVersion('Left out or empty for a safe default.'),
});

export const httpsTerminationModule = {
  name: 'tls_termination',
  schemaName: 'EndpointTLSTerminationAtEdge',
  summary: 'TLS termination',
  write,
  read: Type.Object({
    enabled: Type.Boolean(),
    terminate_at: Type.String({ description: 'Always "edge".' }),
    min_version: Type.String({ description: 'Empty for the default.' }),
  }),
  parse({ enabled = true, terminate_at, min_version = '' }, pointer) {
    if (terminate_at !== undefined)
      throw new Problem('terminateAtMisplaced', {}, { field: `${pointer}/terminate_at` });
    return { enabled, min_version };
  },
  show({ enabled, min_version }) {
    return { enabled, terminate_at: 'edge', min_version };
  },
} as const satisfies StoredModule<HttpsTerminationModule, Input<typeof write>>;
