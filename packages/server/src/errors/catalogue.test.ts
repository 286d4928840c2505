import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import { test } from 'node:test';
import { type CatalogueEntry, catalogue, type ErrorName } from './catalogue.ts';
import { errorsMarkdown } from './document.ts';
import { errorCode, Problem } from './problem.ts';
import type { ErrorNeeding } from './values.ts';

const entries = Object.entries<CatalogueEntry>(catalogue);
test('every condition has a number of its own', () => {
  const names = new Map<number, string[]>();
  for (const [name, { number, inConfigurations }] of entries)
    for (const one of [number, inConfigurations ?? []].flat())
      names.set(one, [...(names.get(one) ?? []), name]);
  assert.deepEqual(
    [...names].filter(([, sharing]) => sharing.length > 1),
    [],
  );
  for (const [name, { number }] of entries) assert.ok(Number.isInteger(number) && number >= 100, name);
});

test('every status is one that HTTP has for errors', () => {
  for (const [name, { status }] of entries)
    assert.ok(status >= 400 && STATUS_CODES[status] !== undefined, `${name} has status ${status}`);
});

test('every message is not empty and ends in a period', () => {
  for (const [name, { message }] of entries) {
    assert.match(message, /^\S.*\.$/s, name);
    assert.doesNotMatch(message, / {2}|\s$|\.\.$/, name);
    assert.equal(message.replaceAll(/\{\w+\}/g, '').search(/[{}]/), -1, `${name} has a broken placeholder`);
  }
});

test('every name is lowerCamelCase', () => {
  for (const [name] of entries) assert.match(name, /^[a-z][A-Za-z0-9]*$/);
});

test('a problem says its condition with its values, which are not read for placeholders again', () => {
  const problem = new Problem(
    'queryParameterUnknown',
    { name: '{allowed}', allowed: 'limit' },
    { field: '{allowed}' },
  );
  assert.match(problem.message, /"\{allowed\}" is unknown here\. Supported parameters: limit\./);
  assert.equal(problem.entry.status, 400);
  assert.equal(errorCode('ERR_SERVICE_', problem.code), 'ERR_SERVICE_231');
});

test('a module of an endpoint configuration has a number of its own for what is wrong with it', () => {
  const problem = new Problem('ipPolicyMissing', {}, { field: '/ip_policy' });
  assert.equal(problem.number, 7025);
  const there = problem.ofConfiguration();
  assert.deepEqual([there.number, there.message, there.details], [1625, problem.message, problem.details]);
  assert.equal(there.withWords({}, {}).number, 1625);
  assert.equal(new Problem('bodyUnreadable').ofConfiguration().number, 212);
});

test('a condition is raised with what its message has placeholders for, and with nothing else', () => {
  const raised = [
    new Problem('hostportTaken', { value: 'a.example.com:443' }),
    new Problem('bodyUnreadable'),
    new Problem('bodyUnreadable', {}, { field: '/a' }),
    // @ts-expect-error a value is missing
    new Problem('hostportTaken'),
    // @ts-expect-error a value is missing
    new Problem('hostportTaken', {}),
    // @ts-expect-error a value is misspelt
    new Problem('hostportTaken', { valeu: 'a.example.com:443' }),
    // @ts-expect-error a value too many
    new Problem('hostportTaken', { value: 'a.example.com:443', form: '' }),
    // @ts-expect-error the message has no placeholders
    new Problem('bodyUnreadable', { value: '' }),
    // @ts-expect-error there is no such condition
    () => new Problem('hostportTakn', { value: '' }),
  ];
  assert.ok(raised.length > 0);
});

test('a name that is handed on says what it is raised with', () => {
  const refuse = (name: ErrorNeeding<'id'>, id: string) => new Problem(name, { id });
  assert.match(refuse('ownerUnknown', 'usr_1').message, /usr_1/);
  // @ts-expect-error its message needs another value
  assert.match(refuse('hostportTaken', 'usr_1').message, /\{value\}/);
});

test('the page for users has a heading for every code', () => {
  const page = errorsMarkdown();
  for (const name of Object.keys(catalogue) as ErrorName[]) {
    assert.ok(page.includes(`\n## ${errorCode('ERR_SERVICE_', name)}\n`), name);
    assert.ok(page.includes(`\`${name}\``), name);
  }
  assert.ok(page.endsWith('.\n'));
});
