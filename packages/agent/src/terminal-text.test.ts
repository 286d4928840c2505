import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takesColours } from './terminal-text.ts';

test('a terminal shows colours, unless it cannot or the user turned them off', () => {
  const terminal = { isTTY: true };
  for (const environment of [{}, { NO_COLOR: '' }, { TERM: 'xterm' }])
    assert.equal(takesColours(terminal, environment), true, JSON.stringify(environment));
  for (const environment of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
    assert.equal(takesColours(terminal, environment), false, JSON.stringify(environment));
  assert.equal(takesColours({}, {}), false);
});
