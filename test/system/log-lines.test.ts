/** Lines for programs: the agent's and the daemon's have times, names, addresses, sizes and codes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Platform, startUpstream, type Upstream, until } from '../harness/index.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
let platform: Platform;
let upstream: Upstream;

before(async () => {
  platform = await Platform.start({ args: ['--access-log', 'all', '--log-format', 'json'] });
  upstream = await startUpstream((asked, answer) => {
    asked.resume();
    asked.on('end', () => answer.end('four'));
  });
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

type Line = Readonly<Record<string, unknown>>;

function objectsIn(lines: readonly string[]): readonly Line[] {
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line);
}

test('each line has its time, and requests have host, address, sizes and code', async () => {
  const name = `lines.${platform.bootstrap.domain}`;
  const { process, url } = await platform.agent(['http', String(upstream.port), '--domain', 'lines']);
  const sent = { method: 'POST', body: 'seven77' };
  assert.equal((await platform.visit(`${url}/path`, sent)).status, 200);
  await platform.visit(`https://nobody.${platform.bootstrap.domain}:${platform.port}/`);
  assert.equal((await platform.api('GET', '/nowhere')).status, 404);
  await process.line(/"event":"request"/);
  const ofAgent = objectsIn(process.lines);
  for (const line of ofAgent) assert.match(String(line.time), TIME, JSON.stringify(line));
  const request = ofAgent.find(({ event }) => event === 'request') ?? {};
  assert.equal(String(request.host).replace(/:\d+$/, ''), name);
  assert.match(String(request.client_addr), /^127\.0\.0\.1:\d+$/);
  assert.deepEqual([request.bytes_in, request.bytes_out], [7, 4]);

  const { daemon } = platform;
  const visits = () => objectsIn(daemon.lines).filter(({ msg }) => msg === 'visit');
  await until(() => visits().length >= 2);
  for (const line of objectsIn(daemon.lines)) assert.match(String(line.time), TIME, JSON.stringify(line));
  const visit = visits().find(({ host }) => host === name) ?? {};
  assert.match(String(visit.client_addr), /^127\.0\.0\.1:\d+$/);
  assert.equal(visit.bytes_in, 7);
  assert.ok(Number(visit.bytes_out) > 4);
  const refused = visits().find(({ error_code }) => error_code !== undefined) ?? {};
  assert.match(String(refused.error_code), /^ERR_SERVICE_\d+$/);
  const isCall = ({ msg, status }: Record<string, unknown>) => msg === 'api request' && status === 404;
  await until(() => objectsIn(daemon.lines).some(isCall));
  const call = objectsIn(daemon.lines).find(isCall) ?? {};
  assert.equal(call.host, `api.${platform.bootstrap.domain}`);
  assert.equal(call.error_code, 'ERR_SERVICE_60001');
  assert.ok(Number(call.bytes_out) > 0);
  await process.stop();
});
