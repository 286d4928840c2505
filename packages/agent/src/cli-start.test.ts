import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { field, StreamType } from '@underpass/wire';
import { GET, hello, install } from './testing/command.fixture.ts';
import { Collector } from './testing/service.fixture.ts';

const THREE = (port: string) =>
  `tunnels:\n  web: {upstream: ${port}, domain: web.example}\n  db: {proto: tcp, upstream: 5432}\n` +
  '  other: {upstream: 1, label: [a=b]}\n';

test('start keeps several tunnels of the file on one session, and says which a request is of', async (t) => {
  const { service, cwd, run } = await install(t);
  mkdirSync(join(cwd, 'underpass'));
  writeFileSync(join(cwd, 'underpass', 'agent.yaml'), THREE(await hello(t)));
  const command = run(['start', 'web', 'db'], { XDG_CONFIG_HOME: cwd });
  await command.until(/^Forwarding {2}web {2}https:\/\/web\.example:8443 -> http:\/\/localhost:\d+$/m);
  await command.until(/^Forwarding {2}db {2}.* -> localhost:5432$/m);
  assert.equal(service.sessions.length, 1);
  assert.equal(service.requests(StreamType.startTunnelWithLabel).length, 0);
  service.proxy('bind-1', new Collector(), GET('/path'));
  await command.until(/^\d\d:\d\d:\d\d {2}web {2}GET \/path {2}200/m);
  command.child.kill('SIGTERM');
  assert.equal(await command.code, 0);
  assert.equal(service.requests(StreamType.unbind).length, 2);
});

test('a tunnel that is refused or stopped is reported by name, and the others stay up', async (t) => {
  const { service, cwd, run } = await install(t);
  writeFileSync(join(cwd, 'a.yaml'), THREE(await hello(t)));
  const refusal = { Error: 'The port is not yours.\n\nERR_UNDERPASS_347' };
  service.respond = ({ type, request }) =>
    type === StreamType.bind && field(request, 'Proto') === 'tcp' ? refusal : undefined;
  const command = run(['start', '--all', '--config', 'a.yaml', '--json']);
  await command.until(/"event":"error"/);
  await command.until(/"event":"tunnel","name":"other"/);
  service.proxy('bind-1', new Collector(), GET('/still-there'));
  await command.until(/"event":"request","name":"web","method":"GET".*"path":"\/still-there".*"status":200/);
  const refused = command.events.find(({ event }) => event === 'error');
  assert.deepEqual([refused?.name, refused?.code], ['db', 'ERR_UNDERPASS_347']);
  await service.ask(StreamType.stopTunnel, { Id: 'bind-1', Message: 'not allowed any more' });
  await command.until(/"event":"error","name":"web","message":"The service stopped the tunnel: not allowed/);
  assert.equal(command.child.exitCode, null);
  command.child.kill('SIGTERM');
  assert.equal(await command.code, 1, 'one of them was refused');
});

test('start ends when none of its tunnels is left', async (t) => {
  const { service, cwd, run } = await install(t);
  writeFileSync(join(cwd, 'a.yaml'), THREE('3000'));
  service.respond = ({ type }) => (type === StreamType.bind ? { Error: 'No.' } : undefined);
  const command = run(['start', 'web', 'db', '--config', 'a.yaml']);
  assert.equal(await command.code, 1);
  assert.match(command.err, /^underpass: web: No\.$/m);
  assert.match(command.err, /^underpass: db: No\.$/m);
});

test('a wrong authtoken is reported once, not for each tunnel', async (t) => {
  const { cwd, run } = await install(t, 'bad-token');
  writeFileSync(join(cwd, 'a.yaml'), THREE('3000'));
  const command = run(['start', '--all', '--config', 'a.yaml']);
  assert.equal(await command.code, 1);
  assert.equal(command.err.match(/^underpass: /gm)?.length, 1);
});

test('config check names the tunnels or the mistake, config path the file', async (t) => {
  const { cwd, run } = await install(t);
  writeFileSync(join(cwd, 'a.yaml'), THREE('3000'));
  writeFileSync(join(cwd, 'bad.yaml'), 'tunnels:\n  web: {upstream: nowhere}\n');
  const good = run(['config', 'check', '--config', 'a.yaml']);
  const bad = run(['config', 'check', '--config', 'bad.yaml']);
  const path = run(['config', 'path'], { XDG_CONFIG_HOME: cwd });
  assert.equal(await good.code, 0);
  assert.match(good.out, /a\.yaml is valid\. Its tunnels: web, db, other\.\n$/);
  assert.equal(await bad.code, 2);
  assert.match(bad.err, /bad\.yaml:2: "tunnels\.web\.upstream": /);
  assert.equal(await path.code, 0);
  assert.equal(path.out, `${join(cwd, 'underpass', 'agent.yaml')}\n`);
});
