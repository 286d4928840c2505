import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Cloud, type CloudAnswer, startCloud } from './cloud.fixture.ts';
import type { CloudOptions } from './cloud-access.ts';
import { openDeliveryStream } from './delivery-stream.ts';
import { openLogGroup } from './log-group.ts';
import { openStream } from './stream.ts';
import type { OutboxEvent, Outcome, Target } from './target.ts';

const SECRET = 'unmistakable-5ecret';
const kinds = {
  stream: {
    open: openStream,
    identifier: 'arn:aws:kinesis:eu-west-1:123456789012:stream/events',
    operation: 'Kinesis_20131202.PutRecords',
  },
  deliveryStream: {
    open: openDeliveryStream,
    identifier: 'arn:aws:firehose:eu-west-1:123456789012:deliverystream/events',
    operation: 'Firehose_20150804.PutRecordBatch',
  },
  logGroup: {
    open: openLogGroup,
    identifier: 'arn:aws:logs:eu-west-1:123456789012:log-group:/edge/events:*',
    operation: 'Logs_20140328.PutLogEvents',
  },
} as const;
type Kind = (typeof kinds)[keyof typeof kinds];

function open(t: TestContext, { open, identifier }: Kind, options: Partial<CloudOptions> = {}): Target {
  const settings = { identifier, role_identifier: '', cloud_access_key_id: 'AKID' };
  const own = { secretKey: SECRET, account: 'ac_1', destination: 'ed_1', allowPrivate: [] };
  const target = open({ settings, ...own, ...options });
  t.after(() => target.close());
  return target;
}

function send(target: Target, batch: readonly OutboxEvent[]): Promise<readonly Outcome[]> {
  return target.send(batch, new AbortController().signal);
}

function event(at: number, more: Partial<OutboxEvent> = {}): OutboxEvent {
  const own = { id: `ev_${at}`, time: at, resource: `ipp_${at}`, text: `{"event_id":"ev_${at}"}` };
  return { type: 'ip_policy_created.v0', account: 'ac_1', ...own, ...more };
}

function reasonsOf(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.map((outcome) =>
    outcome.result === 'taken' ? 'taken' : `${outcome.result}: ${outcome.reason}`,
  );
}

async function start(t: TestContext): Promise<Cloud> {
  const cloud = await startCloud(t);
  cloud.keys.set('AKID', SECRET);
  return cloud;
}

/** A response that accepts both records of a batch, for every service. */
const bothTaken: CloudAnswer = {
  body: {
    FailedRecordCount: 0,
    FailedPutCount: 0,
    Records: [
      { SequenceNumber: '1', ShardId: 's' },
      { SequenceNumber: '2', ShardId: 's' },
    ],
    RequestResponses: [{ RecordId: '1' }, { RecordId: '2' }],
  },
};
const inBase64 = (text: string) => Buffer.from(text).toString('base64');

test('events come to a data stream in their order, keyed by their resource', async (t) => {
  const cloud = await start(t);
  cloud.answer = () => bothTaken;
  const batch = [event(1), event(2, { resource: '' })];
  assert.deepEqual(reasonsOf(await send(open(t, kinds.stream), batch)), ['taken', 'taken']);
  const [{ operation, body, scope }] = cloud.requests as [Cloud['requests'][0]];
  assert.equal(operation, kinds.stream.operation);
  assert.match(scope, /^\d{8}\/eu-west-1\/kinesis\/aws4_request$/);
  const Records = [
    { Data: inBase64(batch[0]!.text), PartitionKey: 'ipp_1' },
    { Data: inBase64(batch[1]!.text), PartitionKey: 'ev_2' },
  ];
  assert.deepEqual(JSON.parse(body), { StreamARN: kinds.stream.identifier, Records });
});

test('events come to a delivery stream as lines', async (t) => {
  const cloud = await start(t);
  cloud.answer = () => bothTaken;
  const batch = [event(1), event(2)];
  assert.deepEqual(reasonsOf(await send(open(t, kinds.deliveryStream), batch)), ['taken', 'taken']);
  const [{ operation, body, scope }] = cloud.requests as [Cloud['requests'][0]];
  assert.equal(operation, kinds.deliveryStream.operation);
  assert.match(scope, /\/eu-west-1\/firehose\//);
  const Records = batch.map(({ text }) => ({ Data: inBase64(`${text}\n`) }));
  assert.deepEqual(JSON.parse(body), { DeliveryStreamName: 'events', Records });
});

test('events come to a log group in a log stream of the destination, which is made when it is not there', async (t) => {
  const cloud = await start(t);
  let exists = false;
  cloud.answer = ({ operation }) => {
    if (operation === 'Logs_20140328.CreateLogStream') exists = true;
    return exists
      ? { body: {} }
      : { status: 400, body: { __type: 'ResourceNotFoundException', message: 'none' } };
  };
  const target = open(t, kinds.logGroup);
  assert.deepEqual(reasonsOf(await send(target, [event(1), event(2)])), ['taken', 'taken']);
  const calls = cloud.requests.map(({ operation }) => operation.split('.')[1]);
  assert.deepEqual(calls, ['PutLogEvents', 'CreateLogStream', 'PutLogEvents']);
  const place = { logGroupName: '/edge/events', logStreamName: 'ed_1' };
  const logEvents = [1, 2].map((at) => ({ timestamp: at, message: event(at).text }));
  assert.deepEqual(JSON.parse(cloud.requests[1]!.body), place);
  assert.deepEqual(JSON.parse(cloud.requests[2]!.body), { ...place, logEvents });
});

test('entries of a log group do not go back in time, nor further than a day apart', async (t) => {
  const cloud = await start(t);
  const HOUR_MS = 3_600_000;
  const times = [HOUR_MS, 40 * HOUR_MS, 39 * HOUR_MS, 41 * HOUR_MS];
  await send(
    open(t, kinds.logGroup),
    times.map((time) => event(time)),
  );
  const { logEvents } = JSON.parse(cloud.requests[0]!.body);
  assert.deepEqual(
    logEvents.map(({ timestamp }: { timestamp: number }) => timestamp / HOUR_MS),
    [18, 40, 40, 41],
  );
});

test('entries that a log group rejects are given up, and only those', async (t) => {
  const cloud = await start(t);
  const rejectedLogEventsInfo = { tooOldLogEventEndIndex: 1, tooNewLogEventStartIndex: 2 };
  cloud.answer = () => ({ body: { rejectedLogEventsInfo } });
  const outcomes = await send(open(t, kinds.logGroup), [event(1), event(2), event(3)]);
  assert.deepEqual(reasonsOf(outcomes), [
    'refused: the event is older than the log group keeps entries',
    'taken',
    'refused: the time of the event is too far ahead for the log group',
  ]);
});

test('of a batch that was taken in part each event has its own outcome', async (t) => {
  const cloud = await start(t);
  const failed = { ErrorCode: 'ProvisionedThroughputExceededException', ErrorMessage: 'Rate exceeded' };
  const records = [{ SequenceNumber: '1', ShardId: 's', RecordId: '1' }, failed];
  cloud.answer = () => ({
    body: { FailedRecordCount: 1, FailedPutCount: 1, Records: records, RequestResponses: records },
  });
  for (const kind of [kinds.stream, kinds.deliveryStream]) {
    const target = open(t, kind);
    assert.equal(target.limits.partial, true);
    assert.deepEqual(reasonsOf(await send(target, [event(1), event(2), event(3)])), [
      'taken',
      'retry: the cloud answered ProvisionedThroughputExceededException: Rate exceeded',
      'retry: the cloud reported no outcome for the event',
    ]);
  }
});

for (const [name, kind] of Object.entries(kinds)) {
  test(`${name}: whatever goes wrong is tried again, and asked for once at a time`, async (t) => {
    const cloud = await start(t);
    const cases: readonly (readonly [CloudAnswer, RegExp])[] = [
      [
        { status: 400, body: { __type: 'ThrottlingException', message: 'slowly' } },
        /ThrottlingException: slowly/,
      ],
      [
        { status: 400, body: { __type: 'AccessDeniedException', Message: 'no' } },
        /AccessDeniedException: no/,
      ],
      [{ status: 500, body: { __type: 'InternalFailure' } }, /^retry: the cloud answered InternalFailure/],
      [{ status: 503, body: '<p>busy' }, /^retry: the cloud answered 503$/],
      [{ status: 302, body: '' }, /^retry: /],
      [null, /^retry: the connection to the cloud failed/],
    ];
    for (const [answer, expected] of cases) {
      cloud.requests.length = 0;
      cloud.answer = () => answer;
      const [reason, ...more] = reasonsOf(await send(open(t, kind), [event(1)]));
      assert.match(reason!, expected);
      assert.deepEqual([more, cloud.requests.length], [[], 1]);
    }
    cloud.answer = () => undefined;
    const silent = reasonsOf(await send(open(t, kind, { timeoutMs: 300 }), [event(1)]));
    assert.deepEqual(silent, ['retry: the cloud did not answer in time']);
  });

  test(`${name}: an endpoint that leads inside is not connected to`, async (t) => {
    const asked: string[] = [];
    const resolve = (host: string) => {
      asked.push(host);
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    };
    const [reason] = reasonsOf(await send(open(t, kind, { resolve }), [event(1)]));
    assert.match(reason!, /has only addresses that are loopback/);
    assert.match(asked.join(), /^[\w.-]+\.eu-west-1\.(amazonaws\.com|api\.aws)$/);
  });
}

test('a clock that is an hour off is found out by the first answer', async (t) => {
  const cloud = await start(t);
  const there = new Date();
  t.mock.timers.enable({ apis: ['Date'], now: there.getTime() + 3_600_000 });
  const hour = there.toISOString().slice(0, 13).replaceAll('-', '');
  const skewed = { __type: 'InvalidSignatureException', message: 'Signature expired' };
  const headers = { Date: there.toUTCString() };
  cloud.answer = ({ date }) => (date.startsWith(hour) ? bothTaken : { status: 400, headers, body: skewed });
  const target = open(t, kinds.stream);
  const [reason] = reasonsOf(await send(target, [event(1)]));
  assert.match(reason!, /Signature expired/);
  assert.deepEqual(reasonsOf(await send(target, [event(1)])), ['taken']);
});

test('a role is assumed with the account as external id, and used until it is over', async (t) => {
  const cloud = await start(t);
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'OWN', AWS_SECRET_ACCESS_KEY: 'own-key' });
  t.after(() => {
    delete process.env.AWS_ACCESS_KEY_ID;
    delete process.env.AWS_SECRET_ACCESS_KEY;
  });
  cloud.keys.set('OWN', 'own-key').set('LENT', 'lent-key');
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const lent = `<AccessKeyId>LENT</AccessKeyId><SecretAccessKey>lent-key</SecretAccessKey><SessionToken>t0</SessionToken><Expiration>${until}</Expiration>`;
  const assumed = `<AssumeRoleResponse><AssumeRoleResult><Credentials>${lent}</Credentials></AssumeRoleResult></AssumeRoleResponse>`;
  cloud.answer = ({ operation }) => (operation === 'AssumeRole' ? { body: assumed } : bothTaken);
  const role_identifier = 'arn:aws:iam::123456789012:role/events';
  const settings = { identifier: kinds.stream.identifier, role_identifier, cloud_access_key_id: '' };
  const target = open(t, kinds.stream, { settings, secretKey: '' });
  for (const _ of [1, 2]) assert.deepEqual(reasonsOf(await send(target, [event(1)])), ['taken']);
  assert.deepEqual(
    cloud.requests.map(({ operation, keyId, token }) => [operation, keyId, token]),
    [
      ['AssumeRole', 'OWN', ''],
      [kinds.stream.operation, 'LENT', 't0'],
      [kinds.stream.operation, 'LENT', 't0'],
    ],
  );
  const asked = new URLSearchParams(cloud.requests[0]!.body);
  assert.deepEqual([asked.get('RoleArn'), asked.get('ExternalId')], [role_identifier, 'ac_1']);
});
