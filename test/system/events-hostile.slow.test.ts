/**
 * An account with malicious targets and thousands of events, and a daemon that is killed.
 * Invariant: an event of a confirmed change reaches a target that accepts events. Invariant: other accounts get none
 * of it.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { eventually, residentMegabytes, startUpstream, timeoutMs, Visitor } from '../harness/index.ts';
import { fixedEdge, startTwoAccounts } from './attacks.fixture.ts';
import type { Received } from './event-intake.fixture.ts';

type Call = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; text: string; json: { id: string } }>;

const EACH = 4;
const POLICIES = 200;
const VISITS = 800;
const DEADLINE_MS = 240_000;
/** A daemon with nothing under way has a fifth of it. */
const MOST_MEGABYTES = 700;
/** A batch that was answered when the daemon died comes again. */
const MOST_TWICE = 500;

/** Reactions of targets to an event, by the key of their destination. */
const hostile = {
  silent: () => {},
  drips: (answer) => {
    answer.writeHead(202, { 'Content-Length': 100_000 });
    const timer = setInterval(() => answer.write('.'), 500);
    answer.on('close', () => clearInterval(timer));
  },
  endless: (answer) => {
    answer.writeHead(202);
    const more = () => {
      while (!answer.destroyed && answer.write(Buffer.alloc(65_536)));
    };
    answer.on('drain', more);
    more();
  },
  redirects: (answer, request) => {
    answer.writeHead(307, { Location: `http://${request.headers.host}/elsewhere` }).end();
  },
  cuts: (answer) => {
    answer.socket?.resetAndDestroy();
  },
  refuses: (answer) => {
    answer.writeHead(400).end('no');
  },
} satisfies Record<string, (answer: ServerResponse, request: IncomingMessage) => void>;

const isHostile = (key: string): key is keyof typeof hostile => Object.hasOwn(hostile, key);

/** Takes what comes with any other key. */
class Target {
  readonly #received = new Map<string, Received[]>();
  /** Requests by API key. */
  readonly asked = new Map<string, number>();
  elsewhere = 0;

  async answer(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    if (request.url === '/elsewhere') this.elsewhere += 1;
    const key = String(request.headers['dd-api-key']);
    const body = Buffer.concat(await request.toArray());
    const entries = JSON.parse(gunzipSync(body).toString()) as { message: string }[];
    // A key is tried with no events when it is given.
    if (entries.length === 0) return void answer.writeHead(202).end();
    this.asked.set(key, (this.asked.get(key) ?? 0) + 1);
    if (isHostile(key)) return hostile[key](answer, request);
    const received = this.#received.get(key) ?? [];
    for (const { message } of entries) received.push(JSON.parse(message) as Received);
    this.#received.set(key, received);
    answer.writeHead(202).end('{}');
  }

  of(key: string): readonly Received[] {
    return this.#received.get(key) ?? [];
  }
}

/** Policies that are made and changed, some at a time; what was answered of each. */
async function makePolicies(call: Call): Promise<Map<string, string[]>> {
  const told = new Map<string, string[]>();
  let made = 0;
  const writer = async () => {
    while (made < POLICIES) {
      made += 1;
      const answer = await call('POST', '/ip_policies', { description: 'new' });
      // While the daemon is killed nothing is answered.
      if (answer.status !== 201) continue;
      const descriptions = ['new'];
      told.set(answer.json.id, descriptions);
      for (const description of ['one', 'two']) {
        const changed = await call('PATCH', `/ip_policies/${answer.json.id}`, { description });
        if (changed.status !== 200) break;
        descriptions.push(description);
      }
    }
  };
  await Promise.all(Array.from({ length: 4 }, writer));
  return told;
}

/** Each event that was answered came, in its order; what was not answered may have happened. */
function checkArrived(received: readonly Received[], told: ReadonlyMap<string, readonly string[]>): void {
  const distinct = [...new Map(received.map((event) => [event.event_id, event])).values()];
  const arrived = Map.groupBy(
    distinct.filter(({ event_type }) => event_type.startsWith('ip_policy')),
    ({ object }) => String(object.id),
  );
  for (const [id, descriptions] of told) {
    const own = arrived.get(id)?.map(({ object }) => String(object.description)) ?? [];
    assert.deepEqual(own.slice(0, descriptions.length), descriptions);
    assert.ok(own.length <= descriptions.length + 1, String(own));
  }
  assert.ok(
    received.length - distinct.length <= MOST_TWICE,
    `${received.length - distinct.length} came twice`,
  );
}

test('hostile targets of one account keep no event from others, nor lose one', {
  timeout: timeoutMs(2 * DEADLINE_MS),
}, async () => {
  const target = new Target();
  const sink = await startUpstream((request, answer) => {
    target.answer(request, answer).catch(() => answer.destroy());
  });
  const { platform, asOther } = await startTwoAccounts({
    args: ['--monitoring-intake-url', `http://127.0.0.1:${sink.port}`],
    apiRateLimit: 0,
  });
  let peak = 0;
  const measured = setInterval(() => {
    try {
      // Not a number of one that was just killed.
      peak = Math.max(peak, residentMegabytes(platform.daemon.pid) || 0);
    } catch {
      // Between two daemons.
    }
  }, 50);
  const asAttacker: Call = (method, path, body) => platform.api(method, path, body);
  const destinationOf = async (call: Call, key: string): Promise<string> => {
    const made = await call('POST', '/event_destinations', {
      format: 'json',
      target: { monitoring: { api_key: key } },
    });
    assert.equal(made.status, 201, made.text);
    return made.json.id;
  };
  const subscribe = async (call: Call, types: readonly string[], destination_ids: readonly string[]) => {
    const sources = types.map((type) => ({ type: `${type}.v0` }));
    const made = await call('POST', '/event_subscriptions', { sources, destination_ids });
    assert.equal(made.status, 201, made.text);
    return made.json.id;
  };
  const policies = ['ip_policy_created', 'ip_policy_updated'];
  await subscribe(asOther, policies, [await destinationOf(asOther, 'other')]);
  await subscribe(asAttacker, policies, [await destinationOf(asAttacker, 'good')]);
  const subscriptions: (readonly [key: string, destination: string, subscription: string])[] = [];
  for (const key of Object.keys(hostile)) {
    for (let at = 0; at < EACH; at++) {
      const destination = await destinationOf(asAttacker, key);
      const all = [...policies, 'http_request_complete'];
      subscriptions.push([key, destination, await subscribe(asAttacker, all, [destination])]);
    }
  }
  await fixedEdge(platform, 'loaded', 'hello');

  const visits = async () => {
    const { port, ca } = platform;
    const visitor = await Visitor.connect({ port, ca, servername: 'loaded.underpass.localhost' });
    for (let at = 0; at < VISITS; at++) await visitor.get({ 'x-large': 'x'.repeat(12_000) });
    visitor.close();
  };
  const [own, others] = await Promise.all([makePolicies(asAttacker), makePolicies(asOther), visits()]);
  assert.deepEqual([own.size, others.size], [POLICIES, POLICIES]);
  for (const key of Object.keys(hostile)) assert.ok((target.asked.get(key) ?? 0) >= EACH, key);
  // Deletes or changes destinations during deliveries, while more events come.
  const meddle = async () => {
    for (const [at, [, destination, subscription]] of subscriptions.entries()) {
      if (at % 2 === 0)
        await asAttacker('PATCH', `/event_destinations/${destination}`, { description: 'changed' });
      else {
        await asAttacker('DELETE', `/event_subscriptions/${subscription}`);
        await asAttacker('DELETE', `/event_destinations/${destination}`);
      }
    }
  };
  const safely =
    (call: Call): Call =>
    (...asked) =>
      call(...asked).catch(() => ({ status: 0, text: '', json: { id: '' } }));
  const more = Promise.all([makePolicies(safely(asAttacker)), makePolicies(safely(asOther))]);
  await meddle();
  await platform.killAndRestart();
  const [ownMore, othersMore] = await more;
  const check = () => {
    checkArrived(target.of('other'), new Map([...others, ...othersMore]));
    checkArrived(target.of('good'), new Map([...own, ...ownMore]));
  };
  await eventually(check, DEADLINE_MS);
  clearInterval(measured);
  assert.equal(target.elsewhere, 0);
  assert.ok(peak < MOST_MEGABYTES, `the daemon had ${peak.toFixed(0)} MB`);
  await platform.stop();
  await sink.stop();
});
