import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually } from '../../../../test/harness/index.ts';
import { LogOutput } from './log-output.ts';

function file(context: TestContext): { descriptor: number; lines: () => string[] } {
  const directory = mkdtempSync(join(tmpdir(), 'underpass-log-'));
  const path = join(directory, 'log');
  const descriptor = openSync(path, 'a');
  context.after(() => {
    closeSync(descriptor);
    rmSync(directory, { recursive: true });
  });
  return { descriptor, lines: () => readFileSync(path, 'utf8').split('\n').slice(0, -1) };
}

test('lines arrive in their order, those that came at once too', async (context) => {
  const { descriptor, lines } = file(context);
  const output = new LogOutput(descriptor);
  const expected = Array.from({ length: 1000 }, (_, at) => `line ${at}`);
  for (const line of expected) output.write(`${line}\n`);
  await eventually(() => assert.deepEqual(lines(), expected));
  output.write('last\n');
  await eventually(() => assert.equal(lines().at(-1), 'last'));
});

test('what waits at the end of the process is written', (context) => {
  const { descriptor, lines } = file(context);
  const output = new LogOutput(descriptor);
  output.write('under way\n');
  output.write('waiting\n');
  output.flushSync();
  assert.ok(lines().includes('waiting'));
});

test('texts above the limit are dropped, and their number is logged', async (context) => {
  const { descriptor, lines } = file(context);
  const output = new LogOutput(descriptor, undefined, { node: 'edge-1' });
  for (let at = 0; at < 300; at++) output.write(`${'x'.repeat(10_000)}\n`);
  await eventually(() => assert.match(lines().at(-1) ?? '', /"msg":"\d+ lines were lost"/));
  assert.equal(JSON.parse(lines().at(-1)!).node, 'edge-1');
  assert.ok(lines().length < 300);
});

test('a disk that is full ends nothing, and the end of the process is not kept up', async () => {
  const descriptor = openSync('/dev/full', 'w');
  const output = new LogOutput(descriptor);
  for (let at = 0; at < 10; at++) {
    output.write('lost\n');
    await new Promise(setImmediate);
  }
  output.write('lost, too\n');
  output.flushSync();
  closeSync(descriptor);
});
