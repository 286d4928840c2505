import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CertificateExpiry } from './certificate-expiry.ts';
import { ExpiryLog } from './expiry-log.ts';

const day = 24 * 60 * 60_000;

function start(...expiries: CertificateExpiry[]) {
  const world = { now: 0, expiries, lines: [] as string[] };
  const log = new ExpiryLog({
    expiries: () => world.expiries,
    now: () => world.now,
    log: {
      warn: ({ certificate }, text) => void world.lines.push(`${certificate}: ${text}`),
    },
  });
  const at = (days: number): string[] => {
    world.now = days * day;
    world.lines = [];
    log.look();
    return world.lines;
  };
  return { world, at };
}

test('a certificate is named 30, 7 and 1 days before it expires, and when it has, once each', () => {
  const { at } = start({ name: 'later', notAfterMs: 500 * day }, { name: 'cert', notAfterMs: 100 * day });
  const soon = ['cert: a certificate expires soon: replace it'];
  for (const [days, expected] of [
    [69, []],
    [70, soon],
    [80, []],
    [93, soon],
    [98, []],
    [99, soon],
    [99.5, []],
    [100, ['cert: a certificate has expired']],
    [101, []],
  ] as const)
    assert.deepEqual(at(days), expected, `day ${days}`);
});

test('one that takes its place is named when its own time has come', () => {
  const { world, at } = start({ name: 'cert', notAfterMs: 100 * day });
  assert.equal(at(99).length, 1);
  world.expiries = [{ name: 'cert', notAfterMs: 190 * day }];
  assert.equal(at(100).length, 0);
  assert.equal(at(165).length, 1);
});

test('of many those that expire first are named, and the others the next time', () => {
  const { at } = start(
    ...Array.from({ length: 150 }, (_, index) => ({ name: `cert_${index}`, notAfterMs: 200 * day - index })),
  );
  assert.match(at(199)[0] ?? '', /^cert_149:/);
  assert.equal(at(199).length, 50);
  assert.equal(at(199).length, 0);
});
