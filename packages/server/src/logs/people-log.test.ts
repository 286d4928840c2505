import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forPeople, takesColours } from './people-log.ts';

const TIME = new Date(2026, 0, 31, 9, 5, 7).getTime();
const plain = (fields: object) => forPeople(`${JSON.stringify(fields)}\n`, { colours: false });

test('a request is method, path, status and duration, and why it was refused', () => {
  const request = { level: 30, time: TIME, msg: 'api request', method: 'POST', path: '/credentials' };
  const facts = { operation_id: 'op_1', account: 'ac_1', status: 201, duration_ms: 2.96 };
  assert.equal(plain({ ...request, ...facts }), '09:05:07  POST /credentials  201  3.0 ms\n');
  const refused = { ...request, ...facts, status: 400, fault: 'fieldUnknown' };
  assert.equal(plain(refused), '09:05:07  POST /credentials  400  3.0 ms  fieldUnknown\n');
});

test('anything else is its message with what is known, and its level from warnings on', () => {
  const facts = { session: 'ts_1', reason: 'two words' };
  assert.equal(
    plain({ level: 30, time: TIME, ...facts, msg: 'session over' }),
    '09:05:07  session over  session=ts_1 reason="two words"\n',
  );
  assert.equal(plain({ level: 40, time: TIME, msg: 'odd' }), '09:05:07  warning  odd\n');
});

test('an error says what it was, and where only when it is a fault', () => {
  const err = {
    type: 'Error',
    message: 'no disk',
    stack: 'Error: no disk\n    at write (a.ts:1:2)\n    at b.ts:3:4',
  };
  assert.equal(plain({ level: 40, time: TIME, err, msg: 'lost' }), '09:05:07  warning  lost: no disk\n');
  assert.equal(
    plain({ level: 50, time: TIME, err, msg: 'failed' }),
    '09:05:07  error  failed: no disk\n            at write (a.ts:1:2)\n            at b.ts:3:4\n',
  );
});

test('no text of visitors steers the terminal', () => {
  const evil = '\x1b[2J\r\n\u009b1m\u202e';
  const line = plain({ level: 30, time: TIME, method: evil, path: evil, status: 200, duration_ms: 1 });
  const event = plain({ level: 30, time: TIME, msg: evil, [evil]: evil, err: { message: evil } });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be there.
  for (const text of [line, event]) assert.doesNotMatch(text.slice(0, -1), /[\x00-\x1f\x7f-\x9f\u202e]/);
  assert.equal(forPeople('no JSON \x1b[1m\n', { colours: false }), 'no JSON \\x1b[1m\n');
});

test('colours are for terminals that are asked for them', () => {
  const line = JSON.stringify({ level: 40, time: TIME, msg: 'odd' });
  assert.ok(forPeople(line, { colours: true }).includes('\x1b[33mwarning\x1b[0m'));
});

test('a terminal shows colours, unless it cannot or the user turned them off', () => {
  const terminal = { isTTY: true };
  for (const environment of [{}, { NO_COLOR: '' }, { TERM: 'xterm' }])
    assert.equal(takesColours(terminal, environment), true, JSON.stringify(environment));
  for (const environment of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
    assert.equal(takesColours(terminal, environment), false, JSON.stringify(environment));
  assert.equal(takesColours({}, {}), false);
});
