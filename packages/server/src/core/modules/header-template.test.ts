import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerVariables, parseTemplate, requestVariables } from './header-template.ts';

/** Written apart, because the linter reports template syntax in plain strings. */
const open = '$' + '{';
const ip = `${open}.conn.client_ip}`;

test('a value is text and names, in order', () => {
  assert.deepEqual(parseTemplate(''), []);
  assert.deepEqual(parseTemplate('a'), [{ text: 'a' }]);
  assert.deepEqual(parseTemplate(ip), [{ name: 'conn.client_ip' }]);
  assert.deepEqual(parseTemplate(`a ${ip}${ip}}`), [
    { text: 'a ' },
    { name: 'conn.client_ip' },
    { name: 'conn.client_ip' },
    { text: '}' },
  ]);
});

test('dollars and braces that open nothing are text', () => {
  for (const text of ['$', '$5', '{}', '}', `${open}a}`, `$${open}`, open, '$ {.a}']) {
    assert.deepEqual(parseTemplate(text), [{ text }], text);
  }
});

test('a name that is not closed is a fault', () => {
  for (const text of [`${open}.`, `${open}.conn.client_ip`, `${ip}${open}.a`])
    assert.equal(parseTemplate(text), null, text);
});

test('what only answers have cannot stand in requests', () => {
  assert.equal(requestVariables.includes('http.response.status_code'), false);
  assert.equal(requestVariables.includes('compression.algorithm'), false);
  for (const name of requestVariables) assert.ok(answerVariables.includes(name), name);
});
