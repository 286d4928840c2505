/** Long and steering values of clients in error messages, at every place where a request can have one. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '../../packages/server/src/store/store.ts';
import { type Answer, Platform } from '../harness/index.ts';
import { Account, type ApiDocument, documentOf } from './account.fixture.ts';
import { Inventory } from './inventory.fixture.ts';

/** `x` could be cut between any two units, `😀` only between two characters. */
const LONG = ['x', '😀'].map((one) => one.repeat(3000));
const SHOWN = 100;

let platform: Platform;
let document: ApiDocument;
let account: Account;

before(async () => {
  platform = await Platform.shared();
  document = await documentOf(platform);
  account = new Account(document.operations, platform.bootstrap.api_key, platform);
});
after(() => platform.stop());

function checkEchoes({ text }: Answer, where: string): void {
  assert.doesNotMatch(text, /x{101}/, where);
  assert.doesNotMatch(text, /(?:😀){101}/u, where);
  assert.doesNotMatch(text, /\\ud[89a-f]/i, `${where}: half of a character`);
}

/** The body once for each of its texts and member names, with the long one in its place. */
function* altered(value: JsonValue, long: string): Generator<JsonValue> {
  if (typeof value === 'string') yield long;
  else if (Array.isArray(value)) {
    for (const [at, item] of value.entries())
      for (const one of altered(item, long)) yield value.with(at, one);
  } else if (typeof value === 'object' && value !== null) {
    yield { ...(value as JsonObject), [long]: 'x' };
    yield { ...(value as JsonObject), [long]: { [long]: long } };
    for (const [name, part] of Object.entries(value))
      for (const one of altered(part, long)) yield { ...(value as JsonObject), [name]: one };
  } else yield long;
}

test('no error of any operation shows more than 100 characters of a value in its body', async () => {
  const things = await Inventory.make(account, document.operations);
  let refused = 0;
  for (const { id, method, path, body, example } of document.operations) {
    if (body === null) continue;
    const target = things.fill(path);
    for (const long of LONG)
      for (const given of altered(example ?? {}, long)) {
        const answer = await account.call(method, target, given);
        if (answer.status === 201 && answer.json.id !== undefined)
          await account.call('DELETE', `${target}/${answer.json.id}`);
        if (answer.status < 400) continue;
        refused += 1;
        checkEchoes(answer, `${id} ${answer.status}`);
      }
  }
  assert.ok(refused > 500, `${refused} refusals`);
});

test('no error shows more than 100 characters of a path, a query, a header or a method', async () => {
  const { port, bootstrap } = platform;
  const good = { authorization: `Bearer ${bootstrap.api_key}`, 'service-version': '2' };
  const url = (path: string) => new URL(path, `https://api.underpass.localhost:${port}`);
  const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
    platform.client.request(url(path), { method, headers: { ...good, ...headers } });
  const answers: Answer[] = [];
  for (const long of LONG.map((text) => encodeURIComponent(text.slice(0, 600)))) {
    answers.push(await ask('GET', `/${long}`));
    answers.push(await ask('GET', `/tunnels/${long}`));
    answers.push(await ask('GET', `/tunnels/tn_${long}`));
    answers.push(await ask('DELETE', `/event_subscriptions/${long}/sources/${long}`));
    for (const query of [`${long}=1`, `limit=${long}`, `before_id=${long}`, `before_id=tn_${long}`])
      answers.push(await ask('GET', `/tunnels?${query}`));
    answers.push(await ask('OPTIONS', `/${long}`));
    answers.push(await ask('POST', `/tunnels/${long}`));
  }
  const x = 'x'.repeat(600);
  answers.push(await ask('X'.repeat(200), '/tunnels'));
  answers.push(await ask('GET', '/tunnels', { 'service-version': x }));
  answers.push(await ask('GET', '/tunnels', { authorization: x }));
  answers.push(await ask('POST', '/ip_policies', { 'content-type': x }));
  answers.push(await account.call('POST', '/ip_policies', `{"${x}":1,"${x}":2}`));
  answers.push(await account.call('POST', '/ip_policies', `{"a":${x}}`));
  for (const answer of answers) {
    assert.ok(answer.status >= 400, answer.text);
    checkEchoes(answer, answer.text.slice(0, 300));
    assert.doesNotMatch(answer.text, /X{101}/);
    // In a path each byte takes three characters.
    assert.doesNotMatch(answer.text, /(?:%[0-9A-F]{2}){34}/);
  }
});

test('a value of 100 characters is shown whole, and what steers a terminal is escaped', async () => {
  const name = 'y'.repeat(SHOWN);
  const whole = await account.call('GET', `/tunnels?${name}=1`);
  assert.match(whole.json.msg, new RegExp(`"${name}" is unknown`));
  assert.equal(whole.json.details.field, name);
  const cut = await account.call('GET', `/tunnels?${name}y=1`);
  assert.match(cut.json.msg, new RegExp(`"${name}…" is unknown`));
  assert.equal(cut.json.details.field, `${name}…`);
  const { json } = await account.call('GET', `/tunnels?${encodeURIComponent('a\u001b[31m\u202e\n')}=1`);
  assert.match(json.msg, /"a\\x1b\[31m\\u202e\\x0a" is unknown/);
});
