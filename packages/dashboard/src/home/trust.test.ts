/** Tests of the commands that make systems trust the authority. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { SYSTEMS, trustSteps } from './trust.ts';

const URL_OF_CA = 'https://api.example.com/ca.pem';

test('each system downloads, compares and trusts, in this order', () => {
  for (const system of SYSTEMS) {
    const steps = trustSteps(system, URL_OF_CA);
    assert.match(steps.map(({ about }) => about).join(' '), /Compare the fingerprint.*([Tt]rust it|Import)/);
    const [first] = steps;
    assert.equal(first?.command.endsWith(`underpass-ca.crt ${URL_OF_CA}`), system !== 'Firefox', system);
  }
});

test('the commands for shells are well-formed', () => {
  for (const system of SYSTEMS.filter((one) => one !== 'Windows'))
    for (const { command } of trustSteps(system, URL_OF_CA))
      execFileSync('/bin/sh', ['-n', '-c', command], { timeout: 10_000 });
});
