/**
 * A daemon that its next version replaces.
 * Invariant: visitors are not refused meanwhile.
 */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { eventually, Platform, startUpstream, underpassd } from '../harness/index.ts';
import { fixedEdge, httpsEdge } from './attacks.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';

/** Less than a daemon that ends waits for the next request of a visitor. */
const PAUSE_MS = 200;

/** Pauses of this process on a busy machine: then its visitors are slower than servers wait. */
class Pauses {
  readonly #timer = setInterval(() => this.#look(), PAUSE_MS / 10);
  #looked = performance.now();
  #ended = Number.NEGATIVE_INFINITY;

  hadOneSince(moment: number): boolean {
    this.#look();
    return this.#ended > moment;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    if (now - this.#looked > PAUSE_MS) this.#ended = now;
    this.#looked = now;
  }
}

test('who comes while no daemon runs waits in the inherited socket for the next one', async (t) => {
  const platform = await Platform.start({ inherited: true });
  t.after(() => platform.stop());
  const name = 'waiting.underpass.localhost';
  await fixedEdge(platform, 'waiting', 'here');
  assert.equal((await platform.visit(name)).text, 'here');
  assert.equal((await platform.daemon.stop()).code, 0);

  const visitor = platform.visit(name);
  const health = fetch(`http://127.0.0.1:${platform.adminPort}/healthz`);
  await platform.restart();
  assert.equal((await visitor).text, 'here');
  assert.equal((await health).status, 200);
});

test('a restart under traffic loses no request and no agent', async (t) => {
  const platform = await Platform.start({ inherited: true });
  t.after(() => platform.stop());
  const upstream = await startUpstream((_request, response) => response.end('by tunnel'));
  t.after(() => upstream.stop());
  await fixedEdge(platform, 'fixed', 'by edge');
  const { url } = await platform.agent(['http', String(upstream.port)]);
  const group = await platform.api('POST', '/backends/tunnel_group', { labels: { app: 'web' } });
  await httpsEdge(platform, 'group', group.json.id);
  await platform.agent(['http', String(upstream.port), '--label', 'app=web']);

  const pauses = new Pauses();
  t.after(() => pauses.stop());
  const visits = new Map<string, number>();
  const failures: string[] = [];
  let isOver = false;
  const keepVisiting = async (
    where: string,
    text: string,
    headers: Record<string, string>,
  ): Promise<void> => {
    const visitor = `${where} ${JSON.stringify(headers)}`;
    // A connection that is kept had its last answer in the visit before.
    for (let before = 0, now = performance.now(); !isOver; before = now, now = performance.now()) {
      const answer = await platform.visit(where, { headers }).then(
        (got) => `${got.status} ${got.text}`,
        (error: Error) => (pauses.hadOneSince(before) ? null : String(error)),
      );
      if (answer === null) continue;
      visits.set(visitor, (visits.get(visitor) ?? 0) + 1);
      if (answer !== `200 ${text}`) failures.push(`${visitor}: ${answer}`);
    }
  };
  const places: readonly [string, string][] = [
    ['fixed.underpass.localhost', 'by edge'],
    [url, 'by tunnel'],
    ['group.underpass.localhost', 'by tunnel'],
  ];
  const visitors = places.flatMap(([where, text]) => [
    keepVisiting(where, text, {}),
    keepVisiting(where, text, { connection: 'close' }),
  ]);
  const eachOnceMore = async (): Promise<void> => {
    const before = new Map(visits);
    await eventually(() => {
      const still =
        visitors.length - [...visits].filter(([name, count]) => count > (before.get(name) ?? 0)).length;
      assert.equal(still, 0, failures.join('\n'));
    });
  };
  for (let round = 0; round < 2; round++) {
    await eachOnceMore();
    await platform.restart();
  }
  await eachOnceMore();
  isOver = true;
  await Promise.all(visitors);
  assert.deepEqual(failures, []);
});

test('a stopping daemon tells agents last, when what they serve is over, and by GOAWAY', async (t) => {
  const platform = await Platform.start();
  t.after(() => platform.stop());
  const asked = Promise.withResolvers<ServerResponse>();
  const agent = await StockAgent.connect(platform, (_request, response) => {
    response.write('first ');
    asked.resolve(response);
  });
  t.after(() => agent.stop());
  let isOver = false;
  const over = agent.session.over.finally(() => {
    isOver = true;
  });
  const { url } = await agent.bind({});
  const visit = platform.visit(url);
  const response = await asked.promise;
  const stopped = platform.daemon.stop();
  await platform.daemon.line(/stopping/);
  // It accepts no new connections by then.
  await eventually(() => assert.rejects(platform.client.tls(new URL(url).hostname)));
  assert.equal(isOver, false);
  response.end('last');
  assert.equal((await visit).text, 'first last');
  assert.match(await over, /^GOAWAY \d+ The service is stopping/);
  assert.deepEqual(await stopped, { code: 0, signal: null });
});

test('--drain-seconds that is no number of seconds: a clear error and exit 2', async () => {
  const { code, stderr } = await underpassd(['--drain-seconds', 'soon']);
  assert.equal(code, 2);
  assert.match(stderr, /--drain-seconds soon: must be a whole number from 0 to 9999/);
});
