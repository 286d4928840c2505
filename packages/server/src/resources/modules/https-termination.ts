/** The TLS termination module of HTTPS edges, which always terminate at the edge (open points, part B 1.8). */
import { Type } from '../../core/type.ts';
import type { HttpsTerminationModule } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { StoredModule } from '../definition.ts';
import { patterns } from '../patterns.ts';
import { body, enabled, type Input, optional } from '../schema.ts';
import { minVersion } from './tls-termination.ts';

const what = "Termination of the visitors' TLS by the edge.";

const write = body(
  {
    enabled,
    terminate_at: optional(
      Type.String({
        pattern: patterns.nothing,
        description: 'Cannot be given: an HTTPS edge always ends TLS itself.',
      }),
    ),
    min_version: minVersion('The oldest version of TLS that is accepted; empty for a safe default.'),
  },
  { description: what, examples: [{ min_version: '1.2' }] },
);

export const httpsTerminationModule = {
  name: 'tls_termination',
  schemaName: 'EndpointTLSTerminationAtEdge',
  summary: 'TLS termination',
  write,
  read: Type.Object(
    {
      enabled: Type.Boolean(),
      terminate_at: Type.String({ description: 'Always "edge".' }),
      min_version: Type.String(),
    },
    { description: what },
  ),
  parse({ enabled = true, terminate_at = '', min_version = '' }, pointer) {
    if (terminate_at !== '')
      throw new Problem('terminateAtMisplaced', {}, { field: `${pointer}/terminate_at` });
    return { enabled, min_version };
  },
  show({ enabled, min_version }) {
    return { enabled, terminate_at: 'edge', min_version };
  },
} as const satisfies StoredModule<HttpsTerminationModule, Input<typeof write>>;
