/**
 * Events that wait for their file, and a cloud with every kind of failure.
 * Invariant: none is lost or stored twice.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { Platform } from '../harness/index.ts';
import type { LooseJson } from '../harness/loose-json.ts';
import { eventually } from '../harness/until.ts';
import { startUpstream, type Upstream } from '../harness/upstream.ts';

type Fault = (answer: ServerResponse, request: IncomingMessage) => void;

/** A bucket that stores its objects, unless a test chooses another response. */
class Bucket {
  /** Objects by name. */
  readonly objects = new Map<string, string>();
  requests = 0;
  fault: Fault | null = null;
  /** Takes an object, and cuts the connection. */
  cuts = false;
  #server: Upstream | null = null;

  async start(): Promise<string> {
    this.#server = await startUpstream(async (request, answer) => {
      const body = Buffer.concat(await request.toArray()).toString();
      const { fault, cuts } = this;
      this.requests += 1;
      if (fault !== null) return fault(answer, request);
      this.objects.set(request.url?.split('?')[0] ?? '', body);
      if (cuts) return void answer.destroy();
      answer.writeHead(200).end();
    });
    return `http://127.0.0.1:${this.#server.port}`;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  /** Events in the order of the objects' names. */
  get events(): readonly LooseJson[] {
    const texts = [...this.objects].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return texts.flatMap(([, text]) => text.split('\n').filter(Boolean)).map((line) => JSON.parse(line));
  }

  get descriptions(): readonly string[] {
    return this.events.map(({ object }) => object.description);
  }
}

const bucket = new Bucket();
let platform: Platform;

before(async () => {
  process.env.AWS_ENDPOINT_URL_S3 = await bucket.start();
  platform = await Platform.start();
});
after(async () => {
  delete process.env.AWS_ENDPOINT_URL_S3;
  await platform.stop();
  await bucket.stop();
});
beforeEach(() => {
  bucket.objects.clear();
  Object.assign(bucket, { requests: 0, fault: null, cuts: false });
});

async function call(method: string, path: string, body?: object) {
  const answer = await platform.api(method, path, body);
  assert.ok(answer.status < 300, answer.text);
  return answer.status === 204 ? null : answer.json;
}

const target = (max_file_age: number) => ({
  s3: {
    auth: { creds: { cloud_access_key_id: 'AKID', cloud_secret_access_key: 'unmistakable-5ecret' } },
    ...{ bucket_identifier: 'arn:aws:s3:::edge-events', max_file_age },
  },
});

/** Creates a destination with a subscription to policies; returns its path. */
async function subscribed(max_file_age: number): Promise<string> {
  const { id } = await call('POST', '/event_destinations', { format: 'json', target: target(max_file_age) });
  const sources = [{ type: 'ip_policy_created.v0' }];
  await call('POST', '/event_subscriptions', { sources, destination_ids: [id] });
  return `/event_destinations/${id}`;
}

async function makePolicies(...descriptions: readonly string[]): Promise<void> {
  for (const description of descriptions) await call('POST', '/ip_policies', { description });
}

const remove = async (destination: string) => {
  const { event_subscriptions } = await call('GET', '/event_subscriptions');
  for (const { id } of event_subscriptions) await call('DELETE', `/event_subscriptions/${id}`);
  await call('DELETE', destination);
};

test('events that wait for their file survive a kill -9, which is no failure, and a test event does not wait', async () => {
  const destination = await subscribed(3_600);
  await makePolicies('a', 'b');
  const waiting = async (backlog: number) => {
    const status = await call('GET', `${destination}/status`);
    assert.deepEqual([status.backlog, status.last_error, status.failed_count], [backlog, '', 0]);
  };
  await waiting(2);
  const { event_id } = await call('POST', `${destination}/test`);
  assert.deepEqual(
    bucket.events.map((event) => event.event_id),
    [event_id],
  );
  await platform.killAndRestart();
  await makePolicies('c');
  await waiting(3);
  assert.equal(bucket.requests, 1);
  await call('PATCH', destination, { target: target(1) });
  await eventually(() => assert.equal(bucket.events.length, 4));
  assert.deepEqual(
    bucket.events
      .filter(({ event_type }) => event_type === 'ip_policy_created.v0')
      .map(({ object }) => object.description),
    ['a', 'b', 'c'],
  );
  await eventually(() => waiting(0));
  await remove(destination);
});

test('whatever the cloud answers, each event is stored, and its owner is told why it was not before', async () => {
  const error =
    (status: number, code: string, headers = {}): Fault =>
    (answer) =>
      void answer
        .writeHead(status, headers)
        .end(`<Error><Code>${code}</Code><Message>in words</Message></Error>`);
  const destination = await subscribed(1);
  const faults: Readonly<Record<string, Fault>> = {
    SlowDown: error(503, 'SlowDown'),
    AccessDenied: error(403, 'AccessDenied'),
    NoSuchBucket: error(404, 'NoSuchBucket'),
    PermanentRedirect: error(301, 'PermanentRedirect', { Location: process.env.AWS_ENDPOINT_URL_S3 }),
    TemporaryRedirect: error(307, 'TemporaryRedirect', { Location: process.env.AWS_ENDPOINT_URL_S3 }),
    'answered 502': (answer) => void answer.writeHead(502).end('<p>bad gateway'),
    'connection to the cloud failed': (answer) => void answer.destroy(),
  };
  for (const [reason, fault] of Object.entries(faults)) {
    bucket.fault = fault;
    await makePolicies(reason);
    // It is tried at once.
    await call('PATCH', destination, { metadata: reason });
    await eventually(async () => {
      const { last_error } = await call('GET', `${destination}/status`);
      assert.ok(last_error.includes(reason), last_error);
    });
  }
  assert.equal(bucket.objects.size, 0);
  bucket.fault = null;
  await call('PATCH', destination, { metadata: 'mended' });
  await eventually(() => assert.deepEqual(bucket.descriptions, Object.keys(faults)));
  await remove(destination);
});

test('an object whose answer was lost is stored again in its place, also by a daemon that is started anew', async () => {
  const destination = await subscribed(1);
  bucket.cuts = true;
  await makePolicies('a');
  await eventually(() => assert.ok(bucket.requests > 0));
  await platform.killAndRestart();
  const before = bucket.requests;
  await eventually(() => assert.ok(bucket.requests > before));
  bucket.cuts = false;
  await call('PATCH', destination, { metadata: 'mended' });
  await makePolicies('b');
  await eventually(async () => {
    const { backlog } = await call('GET', `${destination}/status`);
    assert.equal(backlog, 0);
  });
  assert.deepEqual(bucket.descriptions, ['a', 'b']);
  await remove(destination);
});
