import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { isKeyRejected, type MonitoringOptions, openMonitoring } from './monitoring.ts';
import type { OutboxEvent, Outcome } from './target.ts';

const KEY = 'unmistakable-5ecret';

interface Batch {
  readonly request: IncomingMessage;
  readonly text: string;
}

/** Starts an intake with the test's responses, and records its requests. */
async function startIntake(t: TestContext, answer: (response: ServerResponse) => void) {
  const batches: Batch[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    batches.push({ request, text: gunzipSync(Buffer.concat(chunks)).toString() });
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { batches, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function open(t: TestContext, options: Partial<MonitoringOptions> = {}) {
  const settings = { tags: '', service: '', site: '' };
  const target = openMonitoring({
    settings,
    key: KEY,
    intake: null,
    account: 'ac_1',
    allowPrivate: [],
    ...options,
  });
  t.after(() => target.close());
  return target;
}

function event(text = '{"event_id":"ev_1"}'): OutboxEvent {
  return { id: 'ev_1', type: 'ip_policy_created.v0', time: 1_000, account: 'ac_1', resource: 'ipp_1', text };
}

/** Returns the outcome of one event. */
async function outcomeOf(t: TestContext, options: Partial<MonitoringOptions>): Promise<Outcome> {
  const outcomes = await open(t, options).send([event()], new AbortController().signal);
  assert.equal(outcomes.length, 1);
  return outcomes[0]!;
}

function reasonIn(outcome: Outcome): string {
  assert.equal(outcome.result, 'retry');
  return outcome.result === 'retry' ? outcome.reason : '';
}

test('events arrive as compressed log entries with the key, the tags and the service', async (t) => {
  const intake = await startIntake(t, (response) => response.writeHead(202).end('{}'));
  const settings = { tags: 'env:test', service: 'edge', site: 'us5' };
  const target = open(t, { settings, intake: intake.url });
  const sent = [event('{"event_id":"ev_1"}'), event('{"event_id":"ev_2"}')];
  const outcomes = await target.send(sent, new AbortController().signal);
  assert.deepEqual(outcomes, [{ result: 'taken' }, { result: 'taken' }]);
  const [batch] = intake.batches;
  const { method, url, headers } = batch!.request;
  assert.deepEqual([method, url, headers['dd-api-key']], ['POST', '/api/v2/logs', KEY]);
  const fixed = { ddsource: 'underpass', ddtags: 'env:test', service: 'edge', timestamp: 1_000 };
  assert.deepEqual(
    JSON.parse(batch!.text),
    sent.map(({ text }) => ({ ...fixed, message: text })),
  );
});

test('what an answer says decides whether events are sent again', async (t) => {
  let status = 0;
  const intake = await startIntake(t, (response) => response.writeHead(status).end(`no: ${KEY}`));
  const expected = {
    taken: [200, 202],
    refused: [400, 413, 422],
    retry: [401, 403, 404, 408, 429, 500, 503],
  };
  for (const [result, statuses] of Object.entries(expected)) {
    for (status of statuses) {
      const outcome = await outcomeOf(t, { intake: intake.url });
      assert.equal(outcome.result, result, String(status));
      if (outcome.result === 'taken') continue;
      assert.match(outcome.reason, new RegExp(`answered ${status}: no: …$`));
    }
  }
  status = 403;
  assert.match(reasonIn(await outcomeOf(t, { intake: intake.url })), /^the key was not accepted/);
});

test('only a service that says so itself rejects a key', async (t) => {
  let status: number | null = 0;
  const intake = await startIntake(t, (response) =>
    status === null ? response.destroy() : response.writeHead(status).end(),
  );
  const settings = { tags: '', service: '', site: '' };
  const asked = { account: 'ac_1', settings, key: KEY, allowPrivate: [] };
  for (status of [200, 202, 302, 400, 401, 403, 404, 429, 500, 503, null]) {
    const isRejected = await isKeyRejected({ ...asked, intake: intake.url });
    assert.equal(isRejected, status === 401 || status === 403, String(status));
  }
  assert.deepEqual(new Set(intake.batches.map(({ text }) => text)), new Set(['[]']));
  const silent = await startIntake(t, () => {});
  assert.equal(await isKeyRejected({ ...asked, intake: silent.url, timeoutMs: 100 }), false);
});

test('events wait as long as the target asks for', async (t) => {
  const intake = await startIntake(t, (response) => response.writeHead(429, { 'Retry-After': '7' }).end());
  const { url } = intake;
  const reason = `${new URL(url).host} answered 429`;
  assert.deepEqual(await outcomeOf(t, { intake: url }), { result: 'retry', reason, afterMs: 7_000 });
});

test('a redirect is not followed', async (t) => {
  const inside = await startIntake(t, (response) => response.writeHead(202).end());
  const location = `${inside.url}/api/v2/logs`;
  const intake = await startIntake(t, (response) => response.writeHead(307, { location }).end());
  assert.match(reasonIn(await outcomeOf(t, { intake: intake.url })), /answered 307 .*not followed/);
  assert.deepEqual([intake.batches.length, inside.batches.length], [1, 0]);
});

test('events are sent again when nothing comes back, or the connection is cut after they were taken', async (t) => {
  const silent = await startIntake(t, () => {});
  const slow = await outcomeOf(t, { intake: silent.url, timeoutMs: 100 });
  assert.match(reasonIn(slow), /did not answer in time$/);
  const stalling = await startIntake(t, (response) => response.writeHead(202).write('{'));
  const stalled = await outcomeOf(t, { intake: stalling.url, timeoutMs: 100 });
  assert.match(reasonIn(stalled), /did not answer in time$/);
  const cutting = await startIntake(t, (response) => response.destroy());
  assert.match(reasonIn(await outcomeOf(t, { intake: cutting.url })), /the connection to .* failed/);
  assert.equal(cutting.batches.length, 1);
});

test('an answer without end is not read to its end', async (t) => {
  const intake = await startIntake(t, (response) => {
    response.writeHead(202);
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    };
    response.on('drain', more);
    more();
  });
  assert.equal((await outcomeOf(t, { intake: intake.url })).result, 'taken');
});

test('a site that leads inside is not connected to', async (t) => {
  for (const address of ['127.0.0.1', '169.254.169.254', '10.0.0.1', '::1', '::ffff:10.0.0.1']) {
    const resolve = () => Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }]);
    const settings = { tags: '', service: '', site: 'inside.example' };
    assert.match(
      reasonIn(await outcomeOf(t, { settings, resolve })),
      /^http-intake\.logs\.inside\.example has only addresses that are loopback/,
    );
  }
});

test('each site is asked for at its own host name', async (t) => {
  const asked: string[] = [];
  const resolve = (host: string) => {
    asked.push(host);
    return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  };
  for (const site of ['', 'eu1', 'us5', 'monitoring.example', 'http-intake.logs.monitoring.example']) {
    await outcomeOf(t, { settings: { tags: '', service: '', site }, resolve });
  }
  assert.deepEqual(asked, [
    'http-intake.logs.datadoghq.com',
    'http-intake.logs.datadoghq.eu',
    'http-intake.logs.us5.datadoghq.com',
    'http-intake.logs.monitoring.example',
    'http-intake.logs.monitoring.example',
  ]);
});

test('a batch at its limits is one that the intake takes, whatever is in it', async (t) => {
  const intake = await startIntake(t, (response) => response.writeHead(202).end());
  const settings = { tags: '\u0001'.repeat(4_096), service: '\u0001'.repeat(255), site: '' };
  const target = open(t, { settings, intake: intake.url });
  const { batchBytes, batchEvents, eventBytes, overheadBytes } = target.limits;
  const longest = event('"'.repeat(eventBytes));
  const many = Math.floor(batchBytes / (eventBytes + overheadBytes));
  await target.send(
    Array.from({ length: many }, () => longest),
    new AbortController().signal,
  );
  const { text } = intake.batches[0]!;
  assert.ok(batchEvents <= 1_000 && many > 1);
  assert.ok(text.length <= 5_000_000, `${text.length} bytes`);
  assert.ok(JSON.parse(text).every((entry: object) => JSON.stringify(entry).length <= 1_000_000));
});
