/** Option `CircuitBreaker`: `{"error_threshold": 0.5}`. Other settings have the defaults of a route. */
import type { CircuitBreakerModule } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { numberField } from './fields.ts';
import type { ModuleOption } from './option.ts';

export const circuitBreakerOption: ModuleOption<CircuitBreakerModule> = {
  option: 'CircuitBreaker',
  fields: ['error_threshold'],
  read(sent, { reading }) {
    const threshold = numberField(sent, 'error_threshold', reading);
    if (!(threshold >= 0 && threshold <= 1)) throw new Problem('bindErrorThreshold', { value: threshold });
    return {
      enabled: true,
      tripped_duration: 0,
      rolling_window: 0,
      num_buckets: 0,
      volume_threshold: 0,
      error_threshold_percentage: threshold,
    };
  },
};
