import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorName } from '../../errors/catalogue.ts';
import { circuitBreakerModule } from './circuit-breaker.ts';
import { put, refusedBy } from './module.fixture.ts';

test('what is not given is shown as 0, and what is given as it was sent', async () => {
  deepEqual(await put(circuitBreakerModule, {}), {
    enabled: true,
    tripped_duration: 0,
    rolling_window: 0,
    num_buckets: 0,
    volume_threshold: 0,
    error_threshold_percentage: 0,
  });
  const largest = {
    enabled: false,
    tripped_duration: 4294967295,
    rolling_window: 4294967295,
    num_buckets: 128,
    volume_threshold: 4294967295,
    error_threshold_percentage: 1,
  };
  deepEqual(await put(circuitBreakerModule, largest), largest);
  const share = { error_threshold_percentage: 0.123456789 };
  deepEqual((await put(circuitBreakerModule, share)).error_threshold_percentage, 0.123456789);
});

test('each number has its bounds and its own error', async () => {
  const cases: [string, ErrorName, number][] = [
    ['tripped_duration', 'trippedDurationInvalid', 4294967296],
    ['rolling_window', 'rollingWindowInvalid', 4294967296],
    ['num_buckets', 'bucketCountInvalid', 129],
    ['volume_threshold', 'volumeThresholdInvalid', 4294967296],
    ['error_threshold_percentage', 'errorThresholdInvalid', 1.0000001],
  ];
  for (const [name, error, above] of cases) {
    const field = `/${name}`;
    for (const value of [above, -1, 1e300, Infinity]) {
      const code = Number.isInteger(value) || name.startsWith('error') ? error : 'valueInvalid';
      await refusedBy(circuitBreakerModule, { [name]: value }, code, { field });
    }
    for (const value of ['1', true, [1], {}]) {
      await refusedBy(circuitBreakerModule, { [name]: value }, 'valueInvalid', { field });
    }
    if (name.startsWith('error')) continue;
    await refusedBy(circuitBreakerModule, { [name]: 0.5 }, 'valueInvalid', { field });
  }
});
