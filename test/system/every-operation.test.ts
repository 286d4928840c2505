/** Checks every operation of the OpenAPI document: unknown ids, parameters without a value, HEAD and OPTIONS. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { resourceSurfaces } from '../../packages/server/src/resources/kinds/index.ts';
import { Platform } from '../harness/index.ts';
import { Account, type ApiDocument, documentOf } from './account.fixture.ts';
import { Inventory, unknownIn } from './inventory.fixture.ts';

const UNKNOWN = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ALL = '?before_id=&limit=&beforeId=&offset=';

let platform: Platform;
let document: ApiDocument;
let account: Account;

before(async () => {
  platform = await Platform.shared();
  document = await documentOf(platform);
  account = new Account(document.operations, platform.bootstrap.api_key, platform);
});
after(() => platform.stop());

test('an unknown id is 404 with one number and one text, in every operation of every kind', async () => {
  const prefixes = new Map(resourceSurfaces.map(({ path, prefix }) => [path, prefix]));
  const seen = new Set<string>();
  let calls = 0;
  for (const { id, method, path, body, example } of document.operations) {
    if (!path.includes('{')) continue;
    const target = path.replace(/\/\{\w+\}/g, (_, at: number) => {
      const prefix = prefixes.get(path.slice(0, at));
      return prefix === undefined ? `/${fallback(path, at)}` : `/${prefix}_${UNKNOWN}`;
    });
    const answer = await account.call(method, target, body === null ? undefined : (example ?? {}));
    assert.equal(answer.status, 404, `${id} ${target}: ${answer.text}`);
    assert.match(answer.json.error_code, /_60000$/, `${id} ${target}: ${answer.text}`);
    seen.add(answer.json.msg);
    calls += 1;
  }
  assert.equal(seen.size, 1);
  assert.ok(calls > 100, `${calls} calls`);

  function fallback(path: string, at: number): string {
    const collection = path.slice(0, at);
    if (collection.endsWith('/sources')) return 'ip_policy_created.v0';
    return unknownIn(collection) ?? `edghts_${UNKNOWN}`;
  }
});

test('every list takes parameters without a value, and HEAD is answered wherever GET is', async () => {
  const things = await Inventory.make(account, document.operations);
  const reads = document.operations.filter(({ method, path }) => method === 'GET' && isKnown(path));
  for (const { id, path } of reads) {
    const target = things.fill(path);
    const get = await account.call('GET', target);
    const empty = await account.call('GET', `${target}${ALL}`);
    assert.deepEqual(
      [empty.status, empty.text],
      [get.status, get.text.replaceAll(operationOf(get.text), operationOf(empty.text))],
      id,
    );
    const head = await account.call('HEAD', `${target}${ALL}`);
    assert.deepEqual([head.status, head.text], [get.status, ''], id);
    assert.equal(head.headers['content-type'], get.headers['content-type']);
    assert.equal(head.headers['cache-control'], 'no-store');
  }
  assert.ok(reads.length > 50, `${reads.length} operations`);

  function isKnown(path: string): boolean {
    try {
      return things.fill(path) !== '';
    } catch {
      return false;
    }
  }
});

test('OPTIONS has the methods that the document has, without a key', async () => {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of document.operations)
    methods.set(path, (methods.get(path) ?? new Set()).add(method));
  for (const [path, own] of methods) {
    const url = new URL(path.replace(/\{\w+\}/g, 'x'), platform.bootstrap.base_url);
    url.port = String(platform.port);
    const { status, headers } = await platform.client.request(url, { method: 'OPTIONS' });
    assert.equal(status, 204, path);
    const allow = new Set(String(headers.allow).split(', '));
    const expected = new Set([...own, ...(own.has('GET') ? ['HEAD'] : []), 'OPTIONS']);
    assert.deepEqual(allow, expected, path);
    assert.equal(headers['cache-control'], 'no-store');
  }
});

/** The operation id in an error; '' of what is none. */
function operationOf(text: string): string {
  return /op_\w{27}/.exec(text)?.[0] ?? '';
}
