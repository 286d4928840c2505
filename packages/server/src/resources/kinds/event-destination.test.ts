import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { EventDestinationDocument } from '../../documents/index.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { openOnSqlite } from '../../store/sqlite/open.fixture.ts';
import type { JsonObject } from '../../store/store.ts';
import { type Platform, refused, startPlatform } from '../engine.fixture.ts';

let platform: Platform;
/** Everything that the database file holds, as bytes. */
let contents: () => Promise<Buffer>;
before(async () => {
  platform = await startPlatform(async (options) => {
    const opened = await openOnSqlite(options);
    contents = opened.contents;
    return opened;
  });
});
after(() => platform.close());

const secret = 'top-s3cret/value';
const none = {
  delivery_stream: null,
  stream: null,
  log_group: null,
  s3: null,
  monitoring: null,
  azure_logs_ingestion: null,
};
const role = { role_identifier: 'arn:aws:iam::123456789012:role/events/sender' };
const creds = { cloud_access_key_id: 'AKIA0123456789', cloud_secret_access_key: secret };
const at = 'arn:aws:firehose:us-east-1:123456789012:deliverystream/edge';
const deliveryStream = { auth: { creds }, delivery_stream_identifier: at };
const stream = {
  auth: { role },
  stream_identifier: 'arn:aws-cn:kinesis:cn-north-1:123456789012:stream/edge',
};
const logGroup = {
  auth: { role },
  log_group_identifier: 'arn:aws:logs:eu-west-3:123456789012:log-group:/edge/all:*',
};
const s3 = {
  auth: { creds },
  bucket_identifier: 'arn:aws:s3:::edge.events-1',
  object_prefix: "logs/d=1/a!_.*'()-/x",
  compression: true,
  max_file_size: 1_048_576,
  max_file_age: 60,
};
const monitoring = { api_key: secret, tags: 'env:test', service: 'edge', site: 'intake.example.com' };
const azure = {
  tenant_id: 'b1c2',
  client_id: 'd3e4',
  client_secret: secret,
  logs_ingestion_uri: 'https://edge.westeurope-1.ingest.monitor.azure.com',
  data_collection_rule_id: 'dcr-0123',
  data_collection_stream_name: 'Custom-Edge_CL',
};

const create = (target: unknown) =>
  platform.create('event_destination', { format: 'json', ...(target === undefined ? {} : { target }) });
const update = (id: string, target: unknown) => platform.update('event_destination', id, { target });
async function stored(id: string): Promise<EventDestinationDocument> {
  const document = await platform.store.get(id);
  assert.ok(document?.kind === 'event_destination');
  return document.body;
}
/** The secret as the service that sends events would open it. */
async function kept(id: string): Promise<string> {
  return platform.sealer.open((await stored(id)).target.secret_sealed, `${id}/target_secret`);
}

describe('each target is shown as it was given, its secret as "", and the others as null', () => {
  const hidden = { cloud_access_key_id: creds.cloud_access_key_id, cloud_secret_access_key: '' };
  const cases: Record<string, [JsonObject, JsonObject]> = {
    delivery_stream: [deliveryStream, { ...deliveryStream, auth: { role: null, creds: hidden } }],
    stream: [stream, { ...stream, auth: { role, creds: null } }],
    log_group: [logGroup, { ...logGroup, auth: { role, creds: null } }],
    s3: [s3, { ...s3, auth: { role: null, creds: hidden } }],
    monitoring: [monitoring, { ...monitoring, api_key: '' }],
    azure_logs_ingestion: [azure, { ...azure, client_secret: '' }],
  };
  for (const [name, [given, shown]] of Object.entries(cases)) {
    test(name, async () => {
      const created = await create({ ...none, [name]: given });
      assert.deepEqual(created.target, { ...none, [name]: shown });
      assert.deepEqual(Object.keys(created.target as object), Object.keys(none));
      assert.deepEqual(await platform.get('event_destination', created.id), created);
      // A response can be sent back, and changes nothing.
      assert.deepEqual(await update(created.id, created.target), created);
    });
  }
});

test('a host name as a site is kept in its canonical form, and a site may be left out', async () => {
  const { target } = await create({ monitoring: { api_key: secret, site: 'Intake.Example.COM.' } });
  assert.equal((target as { monitoring: JsonObject }).monitoring.site, 'intake.example.com');
  const bare = await create({ monitoring: { api_key: secret } });
  assert.deepEqual(bare.target, {
    ...none,
    monitoring: { api_key: '', tags: '', service: '', site: '' },
  });
});

test('what is not said of objects in a bucket, or said as zero values, is the default', async () => {
  const [auth, bucket_identifier] = [{ role }, 'arn:aws-cn:s3:::edge-events'];
  const unset = { object_prefix: '', compression: false, max_file_size: 0, max_file_age: 0 };
  const shown = { auth: { role, creds: null }, bucket_identifier, ...unset };
  const nulls = Object.fromEntries(Object.keys(unset).map((name) => [name, null]));
  for (const given of [{}, nulls, unset]) {
    const { id, target } = await create({ s3: { auth, bucket_identifier, ...given } });
    assert.deepEqual(target, { ...none, s3: shown });
    await update(id, { s3: { ...s3, auth } });
    const { target: changed } = await update(id, { s3: { auth, bucket_identifier, ...given } });
    assert.deepEqual(changed, { ...none, s3: shown });
  }
});

describe('what is wrong with a target is refused by field', () => {
  const delivery = (identifier: string) => ({
    delivery_stream: { auth: { role }, delivery_stream_identifier: identifier },
  });
  const auth = (given: unknown) => ({ delivery_stream: { ...deliveryStream, auth: given } });
  const inAuth = '/target/delivery_stream/auth';
  const inIdentifier = '/target/delivery_stream/delivery_stream_identifier';
  const site = (value: string) => ({ monitoring: { ...monitoring, site: value } });
  const uri = (value: string) => ({ azure_logs_ingestion: { ...azure, logs_ingestion_uri: value } });
  const without = (field: keyof typeof azure) => ({ azure_logs_ingestion: { ...azure, [field]: null } });
  const empty = (field: keyof typeof azure) => ({ azure_logs_ingestion: { ...azure, [field]: '' } });

  const cases: [unknown, ErrorName, string][] = [
    [undefined, 'eventTargetMissing', '/target'],
    [null, 'eventTargetMissing', '/target'],
    [{}, 'eventTargetMissing', '/target'],
    [none, 'eventTargetMissing', '/target'],
    [{ s3: { bucket: 'b' } }, 'fieldUnknown', '/target/s3/bucket'],
    [{ s3: {} }, 'eventTargetMissing', '/target'],
    [{ s3: { compression: true } }, 'cloudAuthMissing', '/target/s3/auth'],
    [{ s3: { auth: { role } } }, 'cloudIdentifierMissing', '/target/s3/bucket_identifier'],
    ...(
      [
        ['edge-events', 'cloudIdentifierMalformed'],
        ['arn:aws:kinesis:::edge-events', 'cloudIdentifierService'],
        ['arn:aws:s3:us-east-1::edge-events', 'cloudIdentifierRegion'],
        ['arn:aws:s3::123456789012:edge-events', 'cloudIdentifierAccount'],
        ...[
          '',
          'ed',
          'Edge',
          'edge/events',
          'edge/../events',
          'edge@127.0.0.1',
          '-edge',
          'edge:events',
          'edge#',
        ].map((name) => [`arn:aws:s3:::${name}`, 'cloudIdentifierResource'] as const),
      ] as const
    ).map(([bucket_identifier, error]): [unknown, ErrorName, string] => [
      { s3: { ...s3, bucket_identifier } },
      error,
      '/target/s3/bucket_identifier',
    ]),
    ...[
      '/',
      '/a',
      'a//',
      'a//b',
      '.',
      '..',
      '../a',
      'a/../b',
      'a/./',
      'a b',
      'a?b',
      'a#',
      'a%2f',
      'a\\b',
      'a\n',
      'ä',
    ].map((object_prefix): [unknown, ErrorName, string] => [
      { s3: { ...s3, object_prefix } },
      'objectPrefixInvalid',
      '/target/s3/object_prefix',
    ]),
    [{ s3: { ...s3, object_prefix: 'a'.repeat(513) } }, 'textTooLong', '/target/s3/object_prefix'],
    ...(['max_file_size', 'max_file_age'] as const).flatMap((field) =>
      [-1, 16_777_217, 1e300].map((value): [unknown, ErrorName, string] => [
        { s3: { ...s3, [field]: value } },
        'numberOutOfRange',
        `/target/s3/${field}`,
      ]),
    ),
    [{ monitoring, stream }, 'eventTargetSeveral', '/target'],
    [{ stream: { stream_identifier: at } }, 'cloudAuthMissing', '/target/stream/auth'],
    [auth({}), 'cloudAuthMissing', inAuth],
    [auth({ role: null, creds: null }), 'cloudAuthMissing', inAuth],
    [auth({ role: { role_identifier: '' }, creds: {} }), 'cloudAuthMissing', inAuth],
    [auth({ role, creds }), 'cloudAuthSeveral', inAuth],
    ...[
      'sender',
      'arn:aws:iam:us-east-1:123456789012:role/sender',
      'arn:aws:iam::12345678901:role/sender',
      'arn:aws:iam::123456789012:user/sender',
      'arn:aws:iam::123456789012:role/',
      'arn:aws:sts::123456789012:role/sender',
      'arn::iam::123456789012:role/sender',
      'urn:aws:iam::123456789012:role/sender',
      'arn:aws:iam::123456789012:role/sen der',
    ].map((role_identifier): [unknown, ErrorName, string] => [
      auth({ role: { role_identifier } }),
      'cloudRoleMalformed',
      `${inAuth}/role/role_identifier`,
    ]),
    [
      auth({ creds: { ...creds, cloud_access_key_id: '' } }),
      'cloudKeyIdInvalid',
      `${inAuth}/creds/cloud_access_key_id`,
    ],
    ...['ASIAIOSFODNN7EXAMPLE', 'AIDAIOSFODNN7EXAMPLE'].map(
      (cloud_access_key_id): [unknown, ErrorName, string] => [
        auth({ creds: { ...creds, cloud_access_key_id } }),
        'cloudKeyTemporary',
        `${inAuth}/creds/cloud_access_key_id`,
      ],
    ),
    [
      auth({ creds: { cloud_access_key_id: 'AKIA' } }),
      'cloudSecretMissing',
      `${inAuth}/creds/cloud_secret_access_key`,
    ],
    [
      auth({ creds: { cloud_access_key_id: 'AKIA', cloud_secret_access_key: '' } }),
      'cloudSecretMissing',
      `${inAuth}/creds/cloud_secret_access_key`,
    ],
    [{ delivery_stream: { auth: { role } } }, 'cloudIdentifierMissing', inIdentifier],
    [delivery('edge'), 'cloudIdentifierMalformed', inIdentifier],
    [delivery('arn:aws:firehose:us-east-1:123456789012'), 'cloudIdentifierMalformed', inIdentifier],
    [delivery(at.replace('aws', '')), 'cloudIdentifierPartition', inIdentifier],
    [delivery(at.replace('aws', 'AWS')), 'cloudIdentifierPartition', inIdentifier],
    [delivery(at.replace('firehose', 'kinesis')), 'cloudIdentifierService', inIdentifier],
    [delivery(at.replace('us-east-1', '')), 'cloudIdentifierRegion', inIdentifier],
    [delivery(at.replace('us-east-1', 'US East')), 'cloudIdentifierRegion', inIdentifier],
    [delivery(at.replace('123456789012', '')), 'cloudIdentifierAccount', inIdentifier],
    [delivery(at.replace('123456789012', '1234567890123')), 'cloudIdentifierAccount', inIdentifier],
    [delivery(at.replace('deliverystream/edge', 'stream/edge')), 'cloudIdentifierResource', inIdentifier],
    [delivery(at.replace('edge', '')), 'cloudIdentifierResource', inIdentifier],
    [delivery(at.replace('edge', 'ed\nge')), 'cloudIdentifierResource', inIdentifier],
    [delivery(`${at}:*`), 'cloudIdentifierResource', inIdentifier],
    [delivery(`${at}/edge`), 'cloudIdentifierResource', inIdentifier],
    [delivery(at.replace('edge', 'e'.repeat(65))), 'cloudIdentifierResource', inIdentifier],
    [delivery(at.replace('us-east-1', 'cn-north-1')), 'cloudRegionPartition', inIdentifier],
    [delivery(at.replace('arn:aws', 'arn:aws-cn')), 'cloudRegionPartition', inIdentifier],
    [delivery(at.replace('us-east-1', 'us-gov-west-1')), 'cloudRegionPartition', inIdentifier],
    [
      {
        azure_logs_ingestion: {
          ...azure,
          data_collection_rule_id: '/subscriptions/0/dataCollectionRules/edge',
        },
      },
      'azureRuleMalformed',
      '/target/azure_logs_ingestion/data_collection_rule_id',
    ],
    [
      { azure_logs_ingestion: { ...azure, logs_ingestion_uri: 'https://ingest.example.com:0' } },
      'azureUriMalformed',
      '/target/azure_logs_ingestion/logs_ingestion_uri',
    ],
    [
      { stream: { auth: { role }, stream_identifier: at } },
      'cloudIdentifierService',
      '/target/stream/stream_identifier',
    ],
    [
      { log_group: { auth: { role }, log_group_identifier: at } },
      'cloudIdentifierService',
      '/target/log_group/log_group_identifier',
    ],
    [{ monitoring: {} }, 'eventTargetMissing', '/target'],
    [{ monitoring: { ...monitoring, api_key: '' } }, 'monitoringKeyMissing', '/target/monitoring/api_key'],
    [site('https://intake.example.com'), 'monitoringSiteInvalid', '/target/monitoring/site'],
    [site('intake.example.com:443'), 'monitoringSiteInvalid', '/target/monitoring/site'],
    [site('127.0.0.1'), 'monitoringSiteInvalid', '/target/monitoring/site'],
    [site('evil.example.com/intake.example.com'), 'monitoringSiteInvalid', '/target/monitoring/site'],
    [without('tenant_id'), 'azureTenantMissing', '/target/azure_logs_ingestion/tenant_id'],
    [empty('tenant_id'), 'azureTenantMissing', '/target/azure_logs_ingestion/tenant_id'],
    [without('client_id'), 'azureClientMissing', '/target/azure_logs_ingestion/client_id'],
    [empty('client_id'), 'azureClientMissing', '/target/azure_logs_ingestion/client_id'],
    [without('client_secret'), 'azureSecretMissing', '/target/azure_logs_ingestion/client_secret'],
    [empty('client_secret'), 'azureSecretMissing', '/target/azure_logs_ingestion/client_secret'],
    [without('logs_ingestion_uri'), 'azureUriMissing', '/target/azure_logs_ingestion/logs_ingestion_uri'],
    [empty('logs_ingestion_uri'), 'azureUriMissing', '/target/azure_logs_ingestion/logs_ingestion_uri'],
    [
      without('data_collection_rule_id'),
      'azureRuleMissing',
      '/target/azure_logs_ingestion/data_collection_rule_id',
    ],
    [
      empty('data_collection_rule_id'),
      'azureRuleMissing',
      '/target/azure_logs_ingestion/data_collection_rule_id',
    ],
    [
      without('data_collection_stream_name'),
      'azureStreamMissing',
      '/target/azure_logs_ingestion/data_collection_stream_name',
    ],
    [
      empty('data_collection_stream_name'),
      'azureStreamMissing',
      '/target/azure_logs_ingestion/data_collection_stream_name',
    ],
    ...[
      'http://edge.example.com',
      'edge.example.com',
      'https:edge.example.com',
      'https:///edge.example.com',
      'https://user@edge.example.com',
      'https://edge.example.com?x',
      'https://edge.example.com#x',
      'https://edge.example.com\\x',
      'https://edge example.com',
      'https://edge.example.com:99999',
      'https://ödge.example.com',
    ].map((value): [unknown, ErrorName, string] => [
      uri(value),
      'azureUriMalformed',
      '/target/azure_logs_ingestion/logs_ingestion_uri',
    ]),
    ...[`${secret} `, `${secret}\r\nx-other: 1`, `${secret}é`, `\0${secret}`].map(
      (api_key): [unknown, ErrorName, string] => [
        { monitoring: { ...monitoring, api_key } },
        'eventSecretMalformed',
        '/target/monitoring/api_key',
      ],
    ),
    [
      { monitoring: { ...monitoring, api_key: secret.repeat(100) } },
      'textTooLong',
      '/target/monitoring/api_key',
    ],
    [{ monitoring: { ...monitoring, api_key: [secret] } }, 'valueInvalid', '/target/monitoring/api_key'],
  ];
  for (const [target, error, field] of cases) {
    test(`${error}: ${JSON.stringify(target)?.slice(0, 90)}`, async () => {
      const problem = await refused(create(target), error, { field });
      assert.ok(!`${problem.message} ${JSON.stringify(problem.details)}`.includes(secret));
    });
  }
});

test('a site is a short name of the monitoring service or a host name', async () => {
  const shown = async (site: string) => {
    const { target } = await create({ monitoring: { ...monitoring, site } });
    return ((target as JsonObject).monitoring as JsonObject).site;
  };
  for (const site of ['us1', 'us3', 'us5', 'eu1', 'ap1', 'intake.example.com', ''])
    assert.equal(await shown(site), site);
  assert.equal(await shown(' US5\n'), 'us5');
  assert.equal(await shown(' Intake.Example.com. '), 'intake.example.com');
  for (const site of ['us2', 'us', 'us1.', ' '])
    await refused(create({ monitoring: { ...monitoring, site } }), 'monitoringSiteInvalid');
});

test('the format is json and nothing else', async () => {
  const target = { monitoring };
  const kind = 'event_destination';
  await refused(platform.create(kind, { target }), 'eventFormatInvalid', { field: '/format' });
  await refused(platform.create(kind, { target, format: '' }), 'eventFormatInvalid', { field: '/format' });
  for (const format of ['JSON', 'xml']) {
    const details = { field: '/format', allowed: ['json'] };
    await refused(platform.create(kind, { target, format }), 'eventFormatInvalid', details);
    const { id } = await create(target);
    await refused(platform.update(kind, id, { format }), 'eventFormatInvalid', details);
  }
});

test('an update replaces the target, but not its type', async () => {
  const { id } = await create({ stream });
  const moved = { ...stream, stream_identifier: stream.stream_identifier.replace('edge', 'other') };
  const updated = await update(id, { stream: moved });
  assert.deepEqual(updated.target, { ...none, stream: { ...moved, auth: { role, creds: null } } });
  const details = { field: '/target/monitoring' };
  await refused(update(id, { monitoring }), 'eventTargetTypeFixed', details);
  await refused(update(id, { stream, monitoring }), 'eventTargetSeveral');
  assert.deepEqual(await platform.get('event_destination', id), updated);
});

describe('a secret that an update leaves out', () => {
  const cloud = (change: object, identifier = at) => ({
    delivery_stream: {
      auth: { creds: { cloud_access_key_id: creds.cloud_access_key_id, ...change } },
      delivery_stream_identifier: identifier,
    },
  });
  const { api_key: _, ...openMonitoring } = monitoring;
  const { client_secret: __, ...openAzure } = azure;
  const cases: {
    made: JsonObject;
    /** Updates that keep the secret. */
    keeping: JsonObject[];
    /** Updates that would use it for something else. */
    moving: JsonObject[];
    renewed: JsonObject;
    field: string;
  }[] = [
    {
      made: { delivery_stream: deliveryStream },
      keeping: [cloud({}), cloud({ cloud_secret_access_key: '' }, at.replace('edge', 'other'))],
      moving: [cloud({ cloud_access_key_id: 'AKIA9' })],
      renewed: cloud({ cloud_access_key_id: 'AKIA9', cloud_secret_access_key: 'n3w' }),
      field: '/target/delivery_stream/auth/creds/cloud_secret_access_key',
    },
    {
      made: { monitoring },
      keeping: [{ monitoring: openMonitoring }, { monitoring: { ...monitoring, api_key: '', tags: '' } }],
      moving: [
        { monitoring: { ...openMonitoring, site: 'evil.example.net' } },
        { monitoring: { tags: 'without the site' } },
      ],
      renewed: { monitoring: { api_key: 'n3w', site: 'eu.example.com' } },
      field: '/target/monitoring/api_key',
    },
    {
      made: { azure_logs_ingestion: azure },
      keeping: [
        { azure_logs_ingestion: openAzure },
        { azure_logs_ingestion: { ...azure, client_secret: '', data_collection_rule_id: 'dcr-9' } },
      ],
      moving: (['tenant_id', 'client_id', 'logs_ingestion_uri'] as const).map((field) => ({
        azure_logs_ingestion: { ...openAzure, [field]: 'https://evil.example.net' },
      })),
      renewed: { azure_logs_ingestion: { ...azure, tenant_id: 'other', client_secret: 'n3w' } },
      field: '/target/azure_logs_ingestion/client_secret',
    },
  ];
  for (const { made, keeping, moving, renewed, field } of cases) {
    test(`stays while it belongs there: ${Object.keys(made)}`, async () => {
      const { id } = await create(made);
      assert.equal(await kept(id), secret);
      for (const target of keeping) {
        await update(id, target);
        assert.equal(await kept(id), secret);
      }
      for (const target of moving) await refused(update(id, target), 'eventSecretNeeded', { field });
      assert.equal(await kept(id), secret);
      await update(id, renewed);
      assert.equal(await kept(id), 'n3w');
    });
  }

  test('is missing when a role gives way to a key, and forgotten when a role replaces the key', async () => {
    const { id } = await create({ delivery_stream: deliveryStream });
    const asRole = { delivery_stream: { ...deliveryStream, auth: { role } } };
    await update(id, asRole);
    assert.equal((await stored(id)).target.secret_sealed, '');
    await refused(update(id, cloud({})), 'cloudSecretMissing');
    await update(id, { delivery_stream: deliveryStream });
    assert.equal(await kept(id), secret);
  });
});

test('a secret is in no read, no list and not in the database file', async () => {
  const marker = 'unmistakable-5ecret';
  const monitored = await create({ monitoring: { ...monitoring, api_key: marker } });
  await create({ azure_logs_ingestion: { ...azure, client_secret: marker } });
  await create({
    delivery_stream: {
      ...deliveryStream,
      auth: { creds: { ...creds, cloud_secret_access_key: marker } },
    },
  });
  await update(monitored.id, { monitoring: { ...monitoring, api_key: `${marker}-2` } });
  assert.equal(await kept(monitored.id), `${marker}-2`);
  const { items } = await platform.list('event_destination');
  assert.ok(!JSON.stringify([monitored, items]).includes(marker));
  const bytes = await contents();
  assert.ok(bytes.includes(monitored.id), 'the file that is looked at is the right one');
  assert.ok(!bytes.includes(marker));
});

test('the secret of one destination does not open as that of another', async () => {
  const [one, other] = [await create({ monitoring }), await create({ monitoring })];
  const { secret_sealed } = (await stored(one.id)).target;
  assert.throws(() => platform.sealer.open(secret_sealed, `${other.id}/target_secret`));
});

test('a destination that a subscription uses cannot be deleted, and the answer says which', async () => {
  const { id } = await create({ monitoring });
  const users = [];
  for (let count = 0; count < 2; count++) {
    users.push((await platform.create('event_subscription', { destination_ids: [id] })).id);
  }
  await refused(platform.remove('event_destination', id), 'eventDestinationInUse', { used_by: users });
  await platform.update('event_subscription', users[0]!, { destination_ids: [] });
  await platform.remove('event_subscription', users[1]!);
  await platform.remove('event_destination', id);
});
