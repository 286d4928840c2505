import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compressionModule } from './compression.ts';
import { put, refusedBy } from './module.fixture.ts';
import { websocketTcpConverterModule } from './websocket-tcp-converter.ts';

test('a module that can only be turned on and off is on unless it says otherwise', async () => {
  for (const module of [compressionModule, websocketTcpConverterModule]) {
    assert.deepEqual(await put(module, {}), { enabled: true });
    assert.deepEqual(await put(module, { enabled: null }), { enabled: true });
    assert.deepEqual(await put(module, { enabled: false }), { enabled: false });
    await refusedBy(module, { enabled: 0 }, 'valueInvalid', { field: '/enabled' });
    await refusedBy(module, { level: 9 }, 'fieldUnknown', { field: '/level', allowed: ['enabled'] });
  }
});
