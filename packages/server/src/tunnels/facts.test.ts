/** Facts of what is online are plain data, so that they can be sent to another daemon, and they contain no secret. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { field } from '@underpass/wire';
import type { SessionFacts } from '../online/session.ts';
import { World } from './ingress.fixture.ts';

/** The type itself if it has only what JSON keeps; otherwise one that no value has. */
type Plain<T> = T extends string | number | boolean | null
  ? T
  : T extends (...parameters: never[]) => unknown
    ? never
    : T extends object
      ? { [Key in keyof T]: Plain<T[Key]> }
      : never;

/** Accepts only types of plain data, and fails for values that a copy would not equal. */
function assertPlain<Facts>(facts: Facts & Plain<Facts>): void {
  assert.deepStrictEqual(structuredClone(facts), facts);
  assert.deepStrictEqual(JSON.parse(JSON.stringify(facts)), facts);
}

let world: World;
before(async () => {
  world = await World.create();
});
after(() => world.stop());

test('facts of a session are plain data without its authtoken and its cookie', async () => {
  const account = await world.account();
  const credential = await world.credential(account);
  const agent = await world.connect();
  const response = await agent.auth(credential.token, { Metadata: 'rack 7' });
  const cookie = String(field(field(response, 'Extra'), 'Cookie'));
  const [facts] = world.ingress.online.sessions(account) as Iterable<SessionFacts>;
  assert.ok(facts);
  assertPlain(facts);
  const text = JSON.stringify(facts);
  assert.ok(text.includes('rack 7') && cookie !== '');
  for (const secret of [credential.token, cookie]) assert.ok(!text.includes(secret), text);
});
