/** The zone that the daemon answers for name servers, from outside. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { freePorts, Platform } from '../harness/index.ts';
import { missingPrograms } from '../harness/missing.ts';

const skip = missingPrograms('dig');
const run = promisify(execFile);
let port: number;
let platform: Platform;

before(async () => {
  [port] = (await freePorts(1)) as [number];
  platform = await Platform.start({ args: ['--dns-listen', `127.0.0.1:${port}`] });
});
after(() => platform.stop());

async function dig(...args: readonly string[]): Promise<string> {
  return (await run('dig', ['@127.0.0.1', '-p', String(port), ...args])).stdout;
}

test('name servers get the zone of the service, and nothing about anything else', {
  skip: skip,
}, async () => {
  assert.match(await dig('acme.underpass.localhost', 'NS'), /\tNS\tconnect\.underpass\.localhost\./);
  assert.match(await dig('nobody.acme.underpass.localhost', 'TXT'), /status: NXDOMAIN/);
  assert.match(await dig('underpass.localhost', 'SOA'), /status: REFUSED/);
});

test('questions are counted by what became of them', { skip: skip }, async () => {
  await dig('example.com', 'A');
  const metrics = await (await fetch(`http://127.0.0.1:${platform.adminPort}/metrics`)).text();
  assert.match(metrics, /^underpass_dns_queries_total\{outcome="refused"\} [1-9]/m);
});
