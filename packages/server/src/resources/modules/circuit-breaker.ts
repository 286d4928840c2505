/** The circuit breaker module: a route that keeps failing answers by itself for a while (specification, section 2.6; open points, B 1.9.1). */

import { Type } from '../../core/type.ts';
import type { CircuitBreakerModule } from '../../documents/index.ts';
import type { ErrorNeeding } from '../../errors/values.ts';
import type { StoredModule } from '../definition.ts';
import { body, enabled, type Input, optional } from '../schema.ts';

const maxUint32 = 2 ** 32 - 1;

function count(
  maximum: number,
  error: ErrorNeeding<'field' | 'value' | 'minimum' | 'maximum'>,
  description: string,
) {
  return optional(Type.Integer({ minimum: 0, maximum, default: 0, 'x-error': error, description }));
}

const what = 'Stops sending requests to a backend that keeps failing, for a while.';

const write = body(
  {
    enabled,
    tripped_duration: count(
      maxUint32,
      'trippedDurationInvalid',
      'Seconds until an open circuit is tried again; 0 for 10.',
    ),
    rolling_window: count(
      maxUint32,
      'rollingWindowInvalid',
      'Seconds over which answers are counted; 0 for 10.',
    ),
    num_buckets: count(128, 'bucketCountInvalid', 'Parts of the window; 0 for 10.'),
    volume_threshold: count(
      maxUint32,
      'volumeThresholdInvalid',
      'Requests in the window below which the circuit stays closed; 0 for 20.',
    ),
    error_threshold_percentage: optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0,
        'x-error': 'errorThresholdInvalid',
        description:
          'Share of answers with a status of 500 or above from which on the circuit opens; 0: it never does.',
      }),
    ),
  },
  { description: what, examples: [{ tripped_duration: 10, error_threshold_percentage: 0.5 }] },
);

export const circuitBreakerModule = {
  name: 'circuit_breaker',
  schemaName: 'EndpointCircuitBreaker',
  summary: 'Circuit breaker',
  write,
  read: Type.Object(
    {
      enabled: Type.Boolean(),
      tripped_duration: Type.Integer(),
      rolling_window: Type.Integer(),
      num_buckets: Type.Integer(),
      volume_threshold: Type.Integer(),
      error_threshold_percentage: Type.Number(),
    },
    { description: what },
  ),
  /** Kept as sent: what 0 stands for is decided where it is applied (open points, B 0.15). */
  parse(input) {
    return {
      enabled: input.enabled ?? true,
      tripped_duration: input.tripped_duration ?? 0,
      rolling_window: input.rolling_window ?? 0,
      num_buckets: input.num_buckets ?? 0,
      volume_threshold: input.volume_threshold ?? 0,
      error_threshold_percentage: input.error_threshold_percentage ?? 0,
    };
  },
  show(config) {
    return config;
  },
} as const satisfies StoredModule<CircuitBreakerModule, Input<typeof write>>;
