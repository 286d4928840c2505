import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inParts, Refused } from './refused.ts';

test('a message of the service is parted into what is wrong, with the code, and what to do', () => {
  for (const [message, problem, remedy] of [
    ['The name is taken. Choose another.\n\nERR_A_1', 'The name is taken.\n\nERR_A_1', 'Choose another.'],
    ['One. Two, 3.5 s. "Three".\n\nERR_A_B_12', 'One.\n\nERR_A_B_12', 'Two, 3.5 s. "Three".'],
    ['The pattern "a. B" is none. Correct it.', 'The pattern "a. B" is none.', 'Correct it.'],
    ['Version 1.2 of a.example is old. Update it.', 'Version 1.2 of a.example is old.', 'Update it.'],
    ['It is over.\n\nERR_A_1', 'It is over.\n\nERR_A_1', ''],
    ['The pattern "a" b" is none. Correct it.', 'The pattern "a" b" is none. Correct it.', ''],
    ['maintenance', 'maintenance', ''],
    ['', '', ''],
  ] as const)
    assert.deepEqual(inParts(message), { problem, remedy }, message);
});

test('a refusal has one remedy: of the service, or of the agent where the service gives none', () => {
  const of = (stage: 'auth' | 'bind', message: string, code?: string) => new Refused(stage, message, code);
  assert.equal(of('bind', 'It is taken. Choose another.', 'ERR_A_334').remedy, 'Choose another.');
  assert.match(of('bind', 'It is taken.', 'ERR_A_334').remedy, /^Check what the tunnel claims/);
  assert.match(of('auth', 'It is bad. Use another.', 'ERR_A_107').remedy, /^Check the authtoken/);
  assert.equal(of('auth', 'It is inactive. Ask an admin.', 'ERR_A_60141').remedy, 'Ask an admin.');
});
