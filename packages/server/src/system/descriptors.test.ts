import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { planDescriptors } from './descriptors.ts';

test('whatever the limit, connections leave some descriptors to the daemon itself', () => {
  for (const limit of [128, 256, 1024, 4096, 20_000, 1_048_576]) {
    const plan = planDescriptors(limit, 20);
    const left = limit - 20 - plan.connections - plan.dialled - plan.admin - plan.dns;
    assert.ok(left >= 32, `${left} of ${limit}`);
    assert.ok(plan.admin >= 4);
    assert.ok(plan.unfinished <= plan.connections / 2);
  }
});

test('without a limit connections are as many as come, and handshakes still bounded', () => {
  const plan = planDescriptors(Number.POSITIVE_INFINITY, 20);
  assert.equal(plan.connections, Number.POSITIVE_INFINITY);
  assert.equal(plan.unfinished, 4096);
});

test('the limit is read that is in force', () => {
  const module = JSON.stringify(new URL('./descriptors.ts', import.meta.url));
  const read = `import(${module}).then((found) => console.log(found.descriptorLimit()))`;
  const shell = 'ulimit -n 321; exec "$0" -e "$1"';
  assert.equal(execFileSync('/bin/sh', ['-c', shell, process.execPath, read], { encoding: 'utf8' }), '321\n');
});
