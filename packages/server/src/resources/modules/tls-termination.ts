/** The TLS termination module: who ends the visitor's TLS (specification, section 2.5). */
import { Type } from '../../core/type.ts';
import type { TlsTerminationModule } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { StoredModule } from '../definition.ts';
import { body, choice, enabled, type Input, nullable, optional } from '../schema.ts';

/** The oldest TLS version that is accepted. */
export function minVersion(description: string) {
  return optional(
    choice(['', '1.0', '1.1', '1.2', '1.3'], 'tlsVersionUnsupported', description, { default: '' }),
  );
}

const what = "Termination of the visitors' TLS: by the edge, or behind it.";
const atEdge = { properties: { terminate_at: { const: 'edge' } }, required: ['terminate_at'] };
const noVersion = { properties: { min_version: { enum: ['', null] } } };

const write = body(
  {
    enabled,
    terminate_at: optional(
      choice(
        ['edge', 'upstream'],
        'terminateAtUnsupported',
        '"edge": the edge ends TLS. "upstream": it is passed through.',
        { default: 'upstream' },
      ),
    ),
    min_version: minVersion(
      'The oldest version of TLS that is accepted; empty for a safe default. Only with terminate_at "edge".',
    ),
  },
  {
    description: what,
    examples: [{ terminate_at: 'edge', min_version: '1.2' }],
    if: atEdge,
    else: noVersion,
  },
);

export const tlsTerminationModule = {
  name: 'tls_termination',
  schemaName: 'EndpointTLSTermination',
  summary: 'TLS termination',
  write,
  read: Type.Object(
    {
      enabled: Type.Boolean(),
      terminate_at: Type.String(),
      min_version: nullable(
        Type.String({
          description: 'The oldest version of TLS; empty for the default, null with terminate_at "upstream".',
        }),
      ),
    },
    { description: what },
  ),
  parse(input, pointer) {
    const { enabled = true, terminate_at = 'upstream', min_version = '' } = input;
    if (terminate_at === 'upstream' && min_version !== '') {
      throw new Problem('minVersionNeedsEdge', {}, { field: `${pointer}/min_version` });
    }
    return { enabled, terminate_at, min_version };
  },
  /** Shows no version for TLS that passes through, because the edge cannot limit it. */
  show({ enabled, terminate_at, min_version }) {
    return { enabled, terminate_at, min_version: terminate_at === 'edge' ? min_version : null };
  },
} as const satisfies StoredModule<TlsTerminationModule, Input<typeof write>>;

/**
 * Returns true if the edge sees what is inside TLS. Without the module, and with one that is turned off, TLS passes
 * through.
 */
export function terminatesTls(config: TlsTerminationModule | null): boolean {
  return config?.enabled === true && config.terminate_at === 'edge';
}
