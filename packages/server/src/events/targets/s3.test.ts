import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Cloud, type CloudAnswer, startCloud } from './cloud.fixture.ts';
import { openS3, type S3Options } from './s3.ts';
import type { OutboxEvent, Outcome, Target } from './target.ts';

const SECRET = 'unmistakable-5ecret';
const settings: S3Options['settings'] = {
  ...{ identifier: 'arn:aws:s3:::edge-events', role_identifier: '', cloud_access_key_id: 'AKID' },
  ...{ object_prefix: '', compression: false, max_file_size: 0, max_file_age: 0 },
};

function open(t: TestContext, own: Partial<typeof settings> = {}, options: Partial<S3Options> = {}): Target {
  const access = { secretKey: SECRET, account: 'ac_1', destination: 'ed_1', allowPrivate: [] };
  const target = openS3({ ...access, settings: { ...settings, ...own }, ...options });
  t.after(() => target.close());
  return target;
}

async function send(target: Target, ...batch: readonly OutboxEvent[]): Promise<readonly string[]> {
  const outcomes: readonly Outcome[] = await target.send(batch, new AbortController().signal);
  return outcomes.map((one) => (one.result === 'taken' ? 'taken' : `${one.result}: ${one.reason}`));
}

const time = Date.UTC(2026, 10, 22, 9, 59, 59);
function event(at: number): OutboxEvent {
  const own = { id: `ev_${at}`, time: time + at * 1_000, resource: `ipp_${at}` };
  return { type: 'ip_policy_created.v0', account: 'ac_1', ...own, text: `{"event_id":"ev_${at}"}` };
}

async function start(t: TestContext): Promise<Cloud> {
  const cloud = await startCloud(t);
  cloud.keys.set('AKID', SECRET);
  cloud.answer = () => ({ body: '' });
  return cloud;
}

function fault(status: number, code: string, headers: Readonly<Record<string, string>> = {}): CloudAnswer {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>in words</Message></Error>`;
  return { status, headers, body };
}

test('a batch is one object with a line for each event, named after its hour, its events and its destination', async (t) => {
  const cloud = await start(t);
  const target = open(t, { object_prefix: 'logs/edge-' });
  assert.deepEqual(await send(target, event(0), event(1), event(2)), ['taken', 'taken', 'taken']);
  const [{ operation, path, contentType, body, scope }] = cloud.requests as [Cloud['requests'][0]];
  assert.equal(operation, 'PutObject');
  assert.equal(path, '/edge-events/logs/edge-2026/11/22/09/ev_0-ev_2-ed_1.ndjson');
  assert.equal(contentType, 'application/x-ndjson');
  assert.equal(body, '{"event_id":"ev_0"}\n{"event_id":"ev_1"}\n{"event_id":"ev_2"}\n');
  assert.match(scope, /^\d{8}\/us-east-1\/s3\/aws4_request$/);
});

test('an object is compressed when that is asked for', async (t) => {
  const cloud = await start(t);
  await send(open(t, { compression: true }), event(0), event(1));
  const [{ path, contentType, bytes }] = cloud.requests as [Cloud['requests'][0]];
  assert.equal(path, '/edge-events/2026/11/22/09/ev_0-ev_1-ed_1.ndjson.gz');
  assert.equal(contentType, 'application/gzip');
  assert.equal(gunzipSync(bytes).toString(), '{"event_id":"ev_0"}\n{"event_id":"ev_1"}\n');
});

test('the same batch takes the place of what it was, and no other does', async (t) => {
  const cloud = await start(t);
  const target = open(t);
  cloud.answer = () => null;
  assert.match((await send(target, event(0), event(1)))[0]!, /^retry: the connection to the cloud failed/);
  cloud.answer = () => ({ body: '' });
  for (const batch of [[event(0), event(1)], [event(0)], [event(1)]]) await send(target, ...batch);
  const [cut, again, ...others] = cloud.requests.map(({ path }) => path);
  assert.equal(again, cut);
  assert.equal(new Set([cut, ...others]).size, 3);
});

test('destinations of one bucket do not take the place of what others stored, whose events begin and end alike', async (t) => {
  const cloud = await start(t);
  await send(open(t), event(0), event(1), event(2));
  await send(open(t, {}, { destination: 'ed_2' }), event(0), event(2));
  assert.equal(new Set(cloud.requests.map(({ path }) => path)).size, 2);
});

test('whatever goes wrong is tried again, and asked for once at a time', async (t) => {
  const cloud = await start(t);
  const elsewhere = { Location: 'http://127.0.0.1:1/' };
  const cases: readonly (readonly [CloudAnswer, string])[] = [
    [fault(503, 'SlowDown'), 'retry: the cloud answered SlowDown: in words'],
    [fault(403, 'AccessDenied'), 'retry: the cloud answered AccessDenied: in words'],
    [fault(404, 'NoSuchBucket'), 'retry: the cloud answered NoSuchBucket: in words'],
    [fault(301, 'PermanentRedirect', elsewhere), 'retry: the cloud answered PermanentRedirect: in words'],
    [fault(307, 'TemporaryRedirect', elsewhere), 'retry: the cloud answered TemporaryRedirect: in words'],
    [{ status: 503, body: '<p>busy' }, 'retry: the cloud answered 503'],
    [{ status: 500, body: '' }, 'retry: the cloud answered 500'],
  ];
  const target = open(t);
  for (const [answer, expected] of cases) {
    cloud.requests.length = 0;
    cloud.answer = () => answer;
    assert.deepEqual(await send(target, event(0), event(1)), [expected, expected]);
    assert.equal(cloud.requests.length, 1);
  }
  cloud.answer = () => undefined;
  const silent = await send(open(t, {}, { timeoutMs: 300 }), event(0));
  assert.deepEqual(silent, ['retry: the cloud did not answer in time']);
});

test('where the bucket is the cloud says itself, and is remembered; nothing else of a redirect is looked at', async (t) => {
  const cloud = await start(t);
  const at = (region: string) => ({ 'x-amz-bucket-region': region, Location: 'http://127.0.0.1:1/' });
  const target = open(t);
  cloud.answer = ({ scope }) =>
    scope.includes('/eu-west-3/') ? { body: '' } : fault(301, 'PermanentRedirect', at('eu-west-3'));
  for (const _ of [1, 2]) assert.deepEqual(await send(target, event(0)), ['taken']);
  const regions = () => cloud.requests.map(({ scope }) => scope.split('/')[1]);
  assert.deepEqual(regions(), ['us-east-1', 'eu-west-3', 'eu-west-3']);
  for (const region of ['evil.example.com/', '127.0.0.1', 'eu-west-3']) {
    cloud.requests.length = 0;
    cloud.answer = () => fault(301, 'PermanentRedirect', at(region));
    assert.match((await send(target, event(0)))[0]!, /^retry: the cloud answered PermanentRedirect/);
    assert.deepEqual(regions(), ['eu-west-3']);
  }
});

test('an endpoint that leads inside is not connected to', async (t) => {
  const hosts = {
    'arn:aws:s3:::edge-events': 'edge-events.s3.us-east-1.amazonaws.com',
    'arn:aws:s3:::127.0.0.1': 's3.us-east-1.amazonaws.com',
    'arn:aws-cn:s3:::edge-events': 'edge-events.s3.cn-north-1.amazonaws.com.cn',
    'arn:aws-us-gov:s3:::edge-events': 'edge-events.s3.us-gov-west-1.amazonaws.com',
  };
  for (const [identifier, host] of Object.entries(hosts)) {
    const asked: string[] = [];
    const resolve = (name: string) => {
      asked.push(name);
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    };
    const [reason] = await send(open(t, { identifier }, { resolve }), event(0));
    assert.match(reason!, /has only addresses that are loopback/);
    assert.deepEqual(asked, [host]);
  }
});

test('a role is assumed for a bucket, with the account as external id', async (t) => {
  const cloud = await start(t);
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'OWN', AWS_SECRET_ACCESS_KEY: 'own-key' });
  t.after(() => {
    delete process.env.AWS_ACCESS_KEY_ID;
    delete process.env.AWS_SECRET_ACCESS_KEY;
  });
  cloud.keys.set('OWN', 'own-key').set('LENT', 'lent-key');
  const lent = `<AccessKeyId>LENT</AccessKeyId><SecretAccessKey>lent-key</SecretAccessKey><SessionToken>t0</SessionToken>`;
  const assumed = `<AssumeRoleResponse><AssumeRoleResult><Credentials>${lent}</Credentials></AssumeRoleResult></AssumeRoleResponse>`;
  cloud.answer = ({ operation }) => ({ body: operation === 'AssumeRole' ? assumed : '' });
  const role_identifier = 'arn:aws:iam::123456789012:role/events';
  const target = open(t, { role_identifier, cloud_access_key_id: '' }, { secretKey: '' });
  assert.deepEqual(await send(target, event(0)), ['taken']);
  assert.deepEqual(
    cloud.requests.map(({ operation, keyId, token }) => [operation, keyId, token]),
    [
      ['AssumeRole', 'OWN', ''],
      ['PutObject', 'LENT', 't0'],
    ],
  );
  assert.equal(new URLSearchParams(cloud.requests[0]!.body).get('ExternalId'), 'ac_1');
});
