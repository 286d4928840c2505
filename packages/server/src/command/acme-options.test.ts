import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { toAcme } from './acme-options.ts';
import { toConfig } from './config.ts';
import { ConfigError } from './options.ts';

const folder = mkdtempSync(join(tmpdir(), 'underpass-acme-options-'));
after(() => rmSync(folder, { recursive: true }));

const directory = 'https://acme.example.net/directory';
const hmacKey = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W';

function values(options: Readonly<Record<string, string>>): Map<string, readonly string[]> {
  return new Map(Object.entries(options).map(([flag, text]) => [flag, [text]]));
}

function file(name: string, text: string, mode = 0o644): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode });
  return path;
}

test('no certificates are got unless a directory is given, and what is not given is none', () => {
  assert.equal(toAcme(values({})), null);
  const nothing = { authorities: [], email: null, externalAccount: null, serviceNames: false, dnsHook: null };
  const usual = { directory, ordersPerHour: 50 };
  assert.deepEqual(toAcme(values({ 'acme-directory': directory })), { ...usual, ...nothing });
  const account = { 'acme-eab-kid': 'kid', 'acme-eab-hmac-key': hmacKey };
  const { externalAccount } = toAcme(values({ 'acme-directory': directory, ...account })) ?? {};
  assert.deepEqual(externalAccount, { kid: 'kid', hmacKey });
});

test('what can never work is refused by the name of the option, and no key is repeated', () => {
  const cases: readonly [object, RegExp][] = [
    [
      { 'acme-directory': undefined, 'acme-email': 'ops@example.com' },
      /--acme-email: needs --acme-directory/,
    ],
    [{ 'acme-directory': 'http://acme.example.net/' }, /--acme-directory/],
    [{ 'acme-directory': 'acme.example.net' }, /--acme-directory/],
    [{ 'acme-ca': join(folder, 'none.pem') }, /--acme-ca .* cannot be read/],
    [
      { 'acme-ca': file('key.pem', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n') },
      /--acme-ca/,
    ],
    [{ 'acme-email': 'a@example.com,b@example.com' }, /--acme-email/],
    [{ 'acme-orders-per-hour': '-1' }, /--acme-orders-per-hour -1: must be a whole number/],
    [{ 'acme-eab-kid': 'kid' }, /give both/],
    [{ 'acme-eab-kid': 'kid', 'acme-eab-hmac-key': 'no key!' }, /--acme-eab-hmac-key: must be/],
    [{ 'dns-hook': file('hook', '#!/bin/sh\n') }, /--dns-hook .*can be run/],
  ];
  for (const [options, reason] of cases) {
    const given = Object.entries({ 'acme-directory': directory, ...options }).filter(([, text]) => text);
    assert.throws(
      () => toAcme(values(Object.fromEntries(given))),
      (error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, reason);
        return !error.message.includes('no key!');
      },
    );
  }
});

test('wildcards need a way to prove them, and so do the names of the service', () => {
  const wildcards = (more: Readonly<Record<string, string>>) =>
    toConfig(values({ 'acme-directory': directory, ...more })).settings.managedCertificates?.wildcards;
  assert.equal(wildcards({}), false);
  assert.equal(wildcards({ 'dns-listen': '127.0.0.1:5353' }), true);
  assert.equal(wildcards({ 'dns-hook': file('runs', '#!/bin/sh\n', 0o755) }), true);
  assert.throws(() => wildcards({ 'acme-service-names': 'true' }), /--dns-listen or --dns-hook is missing/);
});
