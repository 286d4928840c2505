/** Events of traffic that go to a name of the account itself: each would bring the next one, without end. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Agent, request } from 'undici';
import { Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { eventually } from '../harness/until.ts';
import { Intake } from './event-intake.fixture.ts';

const intake = new Intake();
const [INTAKE, SHOP] = ['intake.underpass.localhost', 'shop.underpass.localhost'];
let platform: Platform;
let proxy: Upstream;
let shop: Upstream;

/** The target of events is a foreign program that redirects to a name of the service. */
before(async () => {
  proxy = await startUpstream(async (asked, response) => {
    const { host: _, connection: __, ...headers } = asked.headers;
    const dispatcher = new Agent({ connect: { ca: platform.ca, servername: INTAKE } });
    const url = `https://127.0.0.1:${platform.port}${asked.url}`;
    const sent = { method: 'POST' as const, headers: { ...headers, host: INTAKE }, body: asked, dispatcher };
    const answer = await request(url, sent);
    response.writeHead(answer.statusCode).end(await answer.body.text());
    await dispatcher.destroy();
  });
  shop = await startUpstream((_, response) => response.end('hello'));
  platform = await Platform.start({ args: ['--monitoring-intake-url', `http://127.0.0.1:${proxy.port}`] });
});
after(async () => {
  await platform.stop();
  await Promise.all([proxy.stop(), shop.stop(), intake.stop()]);
});

test('events of visits that arrive over an edge of their own account are told of no further, and those of others are', async () => {
  const { port } = new URL(await intake.start());
  const agents = [
    await platform.agent(['http', port, '--domain', INTAKE]),
    await platform.agent(['http', `${shop.port}`, '--domain', SHOP]),
  ];
  const target = { monitoring: { api_key: 'not-a-real-key' } };
  const { id } = (await platform.api('POST', '/event_destinations', { format: 'json', target })).json;
  const sources = [{ type: 'http_request_complete.v0' }];
  await platform.api('POST', '/event_subscriptions', { sources, destination_ids: [id] });
  const visits = () => intake.distinct.map(({ object }) => object.http.request.url.raw as string);
  const told = (path: string) => eventually(() => assert.ok(visits().some((url) => url.endsWith(path))));

  // One after the other: an event of what brought one would have come with the next.
  for (const path of ['/one', '/two', '/three']) {
    await platform.visit(`https://${SHOP}:${platform.port}${path}`);
    await told(path);
  }
  const made = `underpass.localhost; delivery=${Math.floor(Date.now() / 1000)}.${'A'.repeat(43)}`;
  const asked = { headers: { 'cdn-loop': made } };
  await platform.visit(`https://${SHOP}:${platform.port}/made-up`, asked);
  await told('/made-up');
  assert.deepEqual(
    visits().map((url) => new URL(url).pathname),
    ['/one', '/two', '/three', '/made-up'],
  );
  await Promise.all(agents.map(({ process }) => process.stop()));
});
