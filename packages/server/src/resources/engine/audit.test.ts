import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertLikeExample } from '../../../../../test/harness/event-examples.ts';
import { eventTypes } from '../../core/event-types.ts';
import { drained, type EventPlatform, Sink, startEvents } from '../../events/events.fixture.ts';
import { makeChain } from '../../pki/certificates.fixture.ts';
import { collection } from '../engine.fixture.ts';
import { resourceKinds } from '../kinds/index.ts';
import { samples } from '../samples/index.fixture.ts';

let events: EventPlatform;
before(async () => {
  events = await startEvents();
  await events.startNode();
});
after(() => events.close());

test('every stem of an audit event belongs to exactly one kind', () => {
  const stems = resourceKinds.flatMap((kind) => (kind.source === 'stored' ? (kind.eventStem ?? []) : []));
  const types = eventTypes.filter((type) => type.endsWith('_created.v0'));
  assert.deepEqual(stems.map((stem) => `${stem}_created.v0`).sort(), [...types].sort());
});

test('creation, change and deletion of each kind are told as docs/build/events.md shows it', async () => {
  const sink = new Sink();
  const destination = await events.destination(sink);
  const audited = eventTypes.filter((type) => /_(created|updated|deleted)\.v0$/.test(type));
  const subscription = await events.subscribe(audited, [destination]);
  for (const { kind, parent, body, patches } of samples) {
    const stored = resourceKinds.find(({ name }) => name === kind);
    if (stored?.source !== 'stored' || stored.eventStem === null) continue;
    const { eventStem } = stored;
    const [[field = '', { send = '' } = {}] = []] = Object.entries(patches);
    const id = await events.create(kind, await body(events.platform), await parent?.(events.platform));
    await events.update(kind, id, { [field]: send });
    await events.remove(kind, id);
    await drained(events, destination);
    const own = sink.envelopes().filter(({ object }) => (object as { id: string }).id === id);
    const types = ['created', 'updated', 'deleted'].map((verb) => `${eventStem}_${verb}.v0`);
    assert.deepEqual(
      own.map(({ event_type }) => event_type),
      types,
    );
    for (const envelope of own) assertLikeExample(envelope, eventStem);
  }
  await events.remove('event_subscription', subscription);
});

test('a change is told as the API shows it, with who made it, and a change of nothing is not', async () => {
  const sink = new Sink();
  const destination = await events.destination(sink);
  const types = ['ip_policy', 'ip_policy_rule'].flatMap((stem) =>
    ['created', 'updated', 'deleted'].map((verb) => `${stem}_${verb}.v0`),
  );
  await events.subscribe(types, [destination]);
  const { platform } = events;
  const answer = await events.engine.create(collection('ip_policy'), platform.admin, {
    description: 'office',
  });
  const policy = String(answer.id);
  const shown = await platform.get('ip_policy', policy);
  assert.deepEqual(answer, shown);
  await events.update('ip_policy', policy, { description: 'office' });
  await events.create('ip_policy_rule', { ip_policy_id: policy, cidr: '10.0.0.0/8', action: 'allow' });
  await events.update('ip_policy', policy, { description: 'home' });
  await events.remove('ip_policy', policy);
  await drained(events, destination);

  assert.deepEqual(sink.types, [
    ...['ip_policy_created.v0', 'ip_policy_rule_created.v0', 'ip_policy_updated.v0'],
    ...['ip_policy_rule_deleted.v0', 'ip_policy_deleted.v0'],
  ]);
  const [created, , updated, , deleted] = sink.envelopes();
  const { account, owner, key } = platform.admin;
  const { event_id, event_timestamp, ...rest } = created ?? {};
  assert.match(String(event_id), /^ev_[0-9A-Za-z]{27}$/);
  assert.match(String(event_timestamp), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const credential = { id: key, uri: `${platform.settings.baseUrl}/api_keys/${key}` };
  assert.deepEqual(rest, {
    event_type: 'ip_policy_created.v0',
    account_id: account,
    principal: { id: owner, subject: '', source: 'API', credential },
    object: shown,
  });
  assert.equal(shown.metadata, '', 'empty texts are kept');
  for (const envelope of [updated, deleted])
    assert.deepEqual(envelope?.object, { ...shown, description: 'home' });
  assert.equal(sink.events.filter(({ resource }) => resource === policy).length, 3);
});

test('what goes with something else is told of, too', async () => {
  const destination = await events.destination();
  await events.subscribe(['domain_deleted.v0', 'tls_certificate_deleted.v0'], [destination]);
  const { store } = events.platform;
  const { leaf, key } = makeChain('told.example.com');
  const upload = { certificate_pem: leaf, private_key_pem: key };
  const certificate_id = await events.create('tls_certificate', upload);
  const domain = await events.create('reserved_domain', { domain: 'told.example.com', certificate_id });
  const managed = { authority: 'public_ca', private_key_type: 'rsa', set_at: 0, renews_at: 0, job: null };
  for (const [id, more] of [
    [certificate_id, { issued_at: 0 }],
    [domain, { certificate_management_policy: managed }],
  ] as const) {
    const { revision, body } = (await store.get(id))!;
    await store.write(() => [{ op: 'rewrite', id, revision, body: { ...body, ...more } }]);
  }
  await events.remove('reserved_domain', domain);
  await drained(events, destination);
  assert.deepEqual(events.sinks.get(destination)?.types, ['domain_deleted.v0', 'tls_certificate_deleted.v0']);
});

test('no secret is told, neither a stored one nor one that only an answer shows', async () => {
  const sink = new Sink();
  const destination = await events.destination(sink);
  await events.subscribe(
    ['api_key_created.v0', 'tunnel_credential_created.v0', 'event_destination_created.v0'],
    [destination],
  );
  const { engine, platform } = events;
  for (const kind of ['api_key', 'credential']) {
    const shown = await engine.create(collection(kind), platform.admin, {});
    assert.equal(typeof shown.token, 'string', 'who makes it is shown it all the same');
  }
  await events.destination();
  await drained(events, destination);
  const [key, credential, other] = sink.envelopes();
  for (const envelope of [key, credential]) assert.match(JSON.stringify(envelope), /"token":null/);
  assert.match(JSON.stringify(other), /"api_key":""/);
  assert.doesNotMatch(JSON.stringify(sink.events), /secret-0123456789|_hash|_sealed/);
});

test('an account hears nothing of another one, and a destination without a subscription nothing at all', async () => {
  const [told, alone] = [await events.destination(), await events.destination()];
  await events.subscribe(['ip_policy_created.v0'], [told]);
  const { stranger } = events.platform;
  await events.engine.create({ kind: resourceKinds.find(({ name }) => name === 'ip_policy')! }, stranger, {});
  await events.create('ip_policy', {});
  await drained(events, told);
  assert.equal(events.sinks.get(told)?.events.length, 1);
  assert.equal(events.sinks.get(alone)?.events.length, 0);
});
