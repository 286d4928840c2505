import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ForOperator } from '../core/for-operator.ts';
import { lastLine } from './last-line.ts';

test('the last line is a sentence for people, and an object with level and time for programs', () => {
  const wrong = new ForOperator('--listen "x": must be HOST:PORT');
  assert.equal(lastLine(wrong, 'people'), 'underpassd: --listen "x": must be HOST:PORT\n');
  const { time, ...rest } = JSON.parse(lastLine(wrong, 'json'));
  assert.deepEqual(rest, { level: 60, msg: wrong.message });
  assert.match(time, /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
  assert.equal(JSON.parse(lastLine(wrong, 'json', { node: 'edge-1' })).node, 'edge-1');
  const fault = new TypeError('a fault\nof two lines');
  const text = lastLine(fault, 'json');
  assert.equal(text.indexOf('\n'), text.length - 1);
  const { err, msg } = JSON.parse(text);
  assert.deepEqual(
    [msg, err],
    ['the daemon failed', { type: 'TypeError', message: fault.message, stack: fault.stack }],
  );
  assert.match(lastLine(fault, 'people'), /^TypeError: a fault\nof two lines\n +at /);
});
