import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostPattern } from '../core/names/hostname.ts';
import { makeChain } from '../pki/certificates.fixture.ts';
import { AcmeFailure } from './acme-failure.ts';
import { readIssued } from './issued.ts';

const name = 'app.example.com';
const { leaf, intermediate, root, key } = makeChain(name);
const now = Date.now();

function refusalOf(chain: string, privateKeyPem = key, names: readonly string[] = [name], at = now): string {
  try {
    readIssued({ chain, privateKeyPem }, names as readonly HostPattern[], at);
    return '';
  } catch (error) {
    assert.ok(error instanceof AcmeFailure, String(error));
    return error.message;
  }
}

test('a chain is taken with its root or without, and as bare as a leaf', () => {
  for (const chain of [leaf + intermediate, leaf + intermediate + root, leaf, `\n${leaf}\n\n${intermediate}`])
    assert.equal(refusalOf(chain), '');
});

test('what could not be served for what was asked is refused, whatever it is', () => {
  const other = makeChain(name);
  assert.match(refusalOf(leaf + intermediate, other.key), /certificateKeyMismatch/);
  assert.match(refusalOf(other.leaf + other.intermediate), /certificateKeyMismatch/);
  assert.match(refusalOf(intermediate + leaf), /certificateChainOrder/);
  assert.match(
    refusalOf(leaf + other.intermediate),
    /certificateChainOrder/,
    'an alternate chain of another issuer',
  );
  assert.match(refusalOf(leaf + key), /certificateHoldsKey/);
  for (const text of ['', '<html>', leaf.slice(0, -100), '{"a":1}'])
    assert.match(refusalOf(text), /certificate(Missing|Malformed)/, text);
  assert.match(refusalOf(leaf, key, [name, `*.${name}`]), /not valid for app\.example\.com, \*\.app/);
  assert.match(refusalOf(leaf, key, [name], now + 100 * 365 * 24 * 3_600_000), /not valid for/, 'expired');
  assert.match(refusalOf(leaf + intermediate.repeat(200)), /a chain of \d+ bytes/);
});
