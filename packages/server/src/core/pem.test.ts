import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePem } from './pem.ts';

const content = Buffer.from('x'.repeat(60)).toString('base64');

test('blocks are found between explanations, whatever the line ends and lengths', () => {
  const wanted = [{ label: 'A B', hasHeaders: false, der: Buffer.from('x'.repeat(60)) }];
  for (const text of [
    `-----BEGIN A B-----\n${content}\n-----END A B-----`,
    `subject=CN: x\r\n  -----BEGIN A B-----\r\n${content.slice(0, 5)}\r\n ${content.slice(5)}\r\n-----END A B-----\r\n after`,
  ]) {
    const blocks = parsePem(text);
    assert.deepEqual(
      blocks?.map(({ text: _, ...block }) => block),
      wanted,
    );
    assert.deepEqual(parsePem(blocks.map((block) => block.text).join('')), blocks);
  }
  assert.deepEqual(parsePem(''), []);
  assert.deepEqual(parsePem('nothing here'), []);
});

test('header lines are seen', () => {
  const [block] = parsePem(
    `-----BEGIN K-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: A\n\n${content}\n-----END K-----`,
  )!;
  assert.equal(block?.hasHeaders, true);
  assert.equal(block.der.toString(), 'x'.repeat(60));
});

test('a block that does not end, ends as another, nests or is no base64 is refused', () => {
  for (const text of [
    '-----BEGIN A-----\n',
    '-----BEGIN A-----\n-----END B-----',
    '-----END A-----',
    '-----BEGIN A-----\n-----BEGIN A-----\n-----END A-----',
    '-----BEGIN A-----\n!!!!\n-----END A-----',
    '-----BEGIN A-----\nAAA\n-----END A-----',
  ]) {
    assert.equal(parsePem(text), null, text);
  }
});

test('no text makes the parser throw, and what it finds it finds again', () => {
  const line = fc.constantFrom(
    '-----BEGIN A-----',
    '-----END A-----',
    '-----BEGIN B-----',
    'QUJD',
    '',
    'X: y',
    '-----',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const blocks = parsePem(lines.join('\n'));
      if (blocks === null) return;
      const again = parsePem(blocks.map(({ text }) => text).join(''));
      assert.deepEqual(
        again?.map(({ der }) => der),
        blocks.map(({ der }) => der),
      );
    }),
  );
});
