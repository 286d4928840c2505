/**
 * Events in a real cloud emulator, each kind of target by a key and by a role.
 * Invariant: all events arrive in order.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Platform } from '../harness/index.ts';
import { Moto, motoMissing } from '../harness/moto.ts';
import { eventually } from '../harness/until.ts';

const creds = { cloud_access_key_id: 'AKIA0123456789', cloud_secret_access_key: 'secret' };
const role = { role_identifier: 'arn:aws:iam::123456789012:role/events' };

interface Kind {
  /** Name of the field, if it is not the name of the kind. */
  readonly identifier?: string;
  readonly settings?: object;
  /** Answers the identifier. */
  make(name: string): Promise<string>;
  /** Returns the delivered events. */
  read(name: string): Promise<readonly string[]>;
}

describe('events in the cloud', { skip: motoMissing }, () => {
  let moto: Moto;
  let platform: Platform;

  before(async () => {
    moto = await Moto.start();
    // The daemon's own, by which it gets into roles.
    Object.assign(process.env, {
      ...{ AWS_ENDPOINT_URL: moto.url, AWS_ACCESS_KEY_ID: 'OWN', AWS_SECRET_ACCESS_KEY: 'own-key' },
    });
    platform = await Platform.start();
  });
  after(async () => {
    await platform?.stop();
    await moto?.stop();
  });

  async function create(path: string, body: object): Promise<string> {
    const { status, text, json } = await platform.api('POST', path, body);
    assert.equal(status, 201, text);
    return json.id;
  }

  const kinds: Readonly<Record<string, Kind>> = {
    stream: {
      make: (name: string) => moto.stream(name),
      read: (name: string) => moto.recordsOf(name),
    },
    // A bucket has no order, so its lines are sorted like the events' ids.
    delivery_stream: {
      make: (name: string) => moto.deliveryStream(name),
      read: async (name: string) => (await moto.linesIn(name)).toSorted(),
    },
    log_group: {
      make: (name: string) => moto.logGroup(name),
      read: (name: string) => moto.entriesOf(name),
    },
    // The id of the test event orders its object among the others.
    s3: {
      ...{ identifier: 'bucket_identifier', settings: { object_prefix: 'edge/', max_file_age: 1 } },
      make: (name: string) => moto.bucket(name),
      read: (name: string) => moto.linesIn(name),
    },
  };
  for (const [kind, { identifier = `${kind}_identifier`, settings = {}, make, read }] of Object.entries(
    kinds,
  )) {
    for (const [how, auth] of Object.entries({ key: { creds }, role: { role } })) {
      test(`${kind}, by a ${how}: a test event and each change arrive, in their order`, async () => {
        const name = `${kind}-${how}`.replace('_', '-');
        const target = { [kind]: { auth, [identifier]: await make(name), ...settings } };
        const destination = await create('/event_destinations', { format: 'json', target });
        const tested = await platform.api('POST', `/event_destinations/${destination}/test`);
        assert.equal(tested.status, 200, tested.text);
        const sources = ['created', 'updated', 'deleted'].map((verb) => ({ type: `ip_policy_${verb}.v0` }));
        const subscription = await create('/event_subscriptions', {
          sources,
          destination_ids: [destination],
        });
        const policy = await create('/ip_policies', {});
        await platform.api('PATCH', `/ip_policies/${policy}`, { description: 'changed' });
        await platform.api('DELETE', `/ip_policies/${policy}`);
        await eventually(async () => assert.equal((await read(name)).length, 4));
        const arrived = (await read(name)).map((text) => JSON.parse(text));
        assert.equal(
          arrived.find(({ event_id }) => event_id === tested.json.event_id)?.object.id,
          destination,
        );
        assert.deepEqual(
          arrived.filter(({ object }) => object.id === policy).map(({ event_type }) => event_type),
          sources.map(({ type }) => type),
        );
        await platform.api('DELETE', `/event_subscriptions/${subscription}`);
        await platform.api('DELETE', `/event_destinations/${destination}`);
      });
    }
  }

  test('a stream that is not there is answered in the words of the cloud', async () => {
    const identifier = 'arn:aws:kinesis:eu-west-1:123456789012:stream/none';
    const target = { stream: { auth: { creds }, stream_identifier: identifier } };
    const destination = await create('/event_destinations', { format: 'json', target });
    const { status, json } = await platform.api('POST', `/event_destinations/${destination}/test`);
    assert.equal(status, 409);
    assert.match(json.msg, /ResourceNotFoundException/);
  });
});
