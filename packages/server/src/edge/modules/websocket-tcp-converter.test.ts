import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routeModules } from './index.ts';
import { websocketTcpConverter } from './websocket-tcp-converter.ts';

test('the module makes its route convert, and stands among those that have an effect', () => {
  const look = {
    get: () => undefined,
    group: () => [],
    rules: () => assert.fail(),
    secret: () => null,
    login: null,
    backend: () => assert.fail(),
  };
  const parts = websocketTcpConverter.compile(
    { enabled: true },
    { look, place: '', account: 'ac_1', carrier: 'here', before: undefined },
  );
  assert.deepEqual(parts, { converter: { name: 'websocket_tcp' } });
  assert.equal(routeModules.websocket_tcp_converter, websocketTcpConverter);
});
