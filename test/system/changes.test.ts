/** The audit trail of a daemon: the API, actions on agents, commands of the operator. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually, Platform } from '../harness/index.ts';

let platform: Platform;
before(async () => {
  platform = await Platform.start();
});
after(() => platform.stop());

interface Change {
  readonly actor: {
    readonly type: string;
    readonly user_id: string;
    readonly name: string;
    readonly address: string;
  };
  readonly operation: string;
  readonly operation_id: string;
  readonly resource_id: string;
  readonly action: string;
}

async function changes(query: string): Promise<readonly Change[]> {
  const { status, json, text } = await platform.api('GET', `/changes?${query}`);
  assert.equal(status, 200, text);
  return json.changes as readonly Change[];
}

test('a request has an entry with its caller, its operation and its id', async () => {
  const made = await platform.api('POST', '/reserved_domains', { name: 'shop' });
  const id = String(made.json.id);
  await platform.api('PATCH', `/reserved_domains/${id}`, { description: 'The shop' });
  await platform.api('PATCH', `/reserved_domains/${id}`, { region: 'nowhere' });
  await platform.api('DELETE', `/reserved_domains/${id}`);
  const found = await changes(`resource_id=${id}`);
  assert.deepEqual(
    found.map(({ operation }) => operation),
    ['reserved_domain_delete', 'reserved_domain_update', 'reserved_domain_create'],
  );
  for (const { actor, operation_id } of found) {
    assert.deepEqual([actor.type, actor.address], ['user', '127.0.0.1']);
    assert.match(operation_id, /^\w+$/);
  }
  const [first] = await changes('limit=100&actor_type=daemon&action=created&kind=user');
  assert.equal(first?.action, 'created', 'the first start');
});

test('the actor has the e-mail of a user, or the name of one without', async () => {
  const user = await platform.api('POST', '/users', { name: 'Mia', role: 'member' });
  const key = await platform.api('POST', '/api_keys', { owner_id: user.json.id });
  const asMia = { authorization: `Bearer ${key.json.token}` };
  const nameOfActor = async (): Promise<unknown> => {
    const made = await platform.api('POST', '/ip_policies', {}, asMia);
    assert.equal(made.status, 201, made.text);
    const [change] = await changes(`resource_id=${made.json.id}`);
    assert.equal(change?.actor.user_id, user.json.id);
    return change?.actor.name;
  };
  assert.equal(await nameOfActor(), 'Mia');
  await platform.api('PATCH', `/users/${user.json.id}`, { email: 'mia@example.com' });
  await eventually(async () => assert.equal(await nameOfActor(), 'mia@example.com'));
});

test('an agent that is stopped through the API has an entry', async () => {
  await platform.agent(['http', '3000', '--domain', 'stopped.underpass.localhost']);
  const { json } = await platform.api('GET', '/tunnel_sessions');
  const [session] = json.tunnel_sessions as { readonly id: string }[];
  const stopped = await platform.api('POST', `/tunnel_sessions/${session?.id}/stop`, {});
  assert.equal(stopped.status, 204, stopped.text);
  await eventually(async () => {
    const [entry] = await changes(`resource_id=${session?.id}`);
    assert.equal(entry?.action, 'stop');
  });
});
