import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { LinePrinter } from './lines.ts';
import { printable, printableMessage, printablePath } from './printable.ts';

class SlowReader extends Writable {
  readonly written: string[] = [];
  #release: (() => void) | null = null;
  isStuck = false;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written.push(chunk.toString());
    if (this.isStuck) this.#release = done;
    else done();
  }

  release(): void {
    this.isStuck = false;
    const release = this.#release;
    this.#release = null;
    release?.();
  }
}

test('lines arrive in order, gathered', async () => {
  const out = new SlowReader();
  const lines = new LinePrinter(out, String);
  lines.print('one');
  lines.offer('two');
  await lines.flush(1_000);
  assert.deepEqual(out.written, ['one\ntwo\n']);
});

test('a slow reader misses lines that were only offered, and hears how many', async () => {
  const out = new SlowReader();
  out.isStuck = true;
  const lines = new LinePrinter(out, (count) => `left out ${count}`);
  const line = 'x'.repeat(1_000);
  for (let count = 0; count < 300; count++) lines.offer(line);
  lines.print('important');
  out.release();
  await lines.flush(1_000);
  lines.print('after');
  await lines.flush(1_000);
  const text = out.written.join('');
  const kept = text.split('\n').filter((it) => it === line).length;
  assert.ok(kept > 200 && kept < 300, String(kept));
  assert.match(text, new RegExp(`important\nleft out ${300 - kept}\nafter\n$`));
});

test('a reader that went away is no error', async () => {
  const out = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  const lines = new LinePrinter(out, String);
  lines.print('one');
  await lines.flush(1_000);
  lines.print('two');
  await lines.flush(1_000);
});

test('a flush gives up a reader that never reads', async () => {
  const out = new SlowReader();
  out.isStuck = true;
  const lines = new LinePrinter(out, String);
  lines.print('one');
  await lines.flush(1);
  assert.equal(out.written.length, 1);
});

test('nothing from elsewhere steers the terminal', () => {
  assert.equal(printable('/a\x1b[31m\r\nb\x07é'), '/a\\x1b[31m\\x0d\\x0ab\\x07\\xe9');
  assert.equal(printablePath(`/${'x'.repeat(1_000)}`).length, 259);
  assert.equal(printableMessage('Schön\r\nzwei\x1b]0;x\x07\u202e'), 'Schön\nzwei\\x1b]0;x\\x07\\u202e');
});
