import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EmptyLine } from './empty-line.ts';

test('the end of the first empty line is found wherever the bytes are cut', () => {
  const text = fc.array(fc.constantFrom('\r', '\n', '\r\n', '\r\n\r\n', 'a', ''), { maxLength: 20 });
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 5 }), { maxLength: 40 }), (parts, cuts) => {
      const whole = parts.join('');
      const at = whole.indexOf('\r\n\r\n');
      const emptyLine = new EmptyLine();
      let start = 0;
      let found: number | null = null;
      for (const length of [...cuts, whole.length]) {
        const end = emptyLine.endIn(Buffer.from(whole).subarray(start, start + length));
        if (end !== null) {
          found = start + end;
          break;
        }
        start += length;
      }
      assert.equal(found, at === -1 ? null : at + 4);
    }),
  );
});

test('after one empty line the next one is looked for anew', () => {
  const emptyLine = new EmptyLine();
  assert.equal(emptyLine.endIn(Buffer.from('\r\n\r\n\r\n')), 4);
  assert.equal(emptyLine.endIn(Buffer.from('\r\n')), null);
  assert.equal(emptyLine.endIn(Buffer.from('\r\n')), 2);
});
