import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { parseIpAddress } from '../../core/ip/ip-address.ts';
import { OwnPorts } from './own-ports.ts';

function includes(host: string, address: string, port: number): boolean {
  const own = new OwnPorts({
    listen: { host, port: 443 },
    tcpPorts: () => new Set([20_000]),
    isDoor: () => false,
  });
  return own.includes(parseIpAddress(address)!, port);
}

test('the ports of the front door and of TCP edges are its own, at every address of the machine', () => {
  const interfaces = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const addresses = interfaces.map(({ address }) => address);
  for (const address of [...addresses, '127.0.0.1', '127.9.9.9', '0.0.0.0', '::']) {
    assert.ok(includes('::', address, 443), address);
    assert.ok(includes('::', address, 20_000), address);
    assert.ok(!includes('::', address, 20_001), address);
  }
  assert.ok(!includes('::', '198.51.100.7', 443));
});

test('who listens at one address has nothing at others', () => {
  assert.ok(includes('192.0.2.1', '192.0.2.1', 443));
  assert.ok(includes('192.0.2.1', '0.0.0.0', 443));
  assert.ok(!includes('192.0.2.1', '127.0.0.1', 443));
});

test('a front door of another daemon counts, too', () => {
  const seen: unknown[] = [];
  const own = new OwnPorts({
    listen: { host: '192.0.2.1', port: 443 },
    tcpPorts: () => new Set([20_000]),
    isDoor: (_, port, ports) => {
      seen.push([port, [...ports]]);
      return port === 8443;
    },
  });
  assert.ok(own.includes(parseIpAddress('198.51.100.7')!, 8443));
  assert.ok(!own.includes(parseIpAddress('198.51.100.7')!, 443));
  assert.deepEqual(seen, [
    [8443, [20_000]],
    [443, [20_000]],
  ]);
});
