import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toConfig } from './config.ts';
import { ConfigError } from './options.ts';
import { forWorker, WORKER_VARIABLE, workerFacts } from './worker-facts.ts';

const facts = {
  ...{ number: 2, group: 'one', hasSiblings: true, isFirst: false, followsOther: false },
  ...{ values: [], sockets: { listen: 4 } },
};

function configOf(options: Readonly<Record<string, string>>) {
  const values = new Map(Object.entries(options).map(([flag, text]) => [flag, [text]]));
  return forWorker(toConfig(values, facts.sockets), facts);
}

const postgres = { database: 'postgres://u:p@127.0.0.1/u', 'node-name': 'a', 'data-dir': '/data' };

test('the variable alone makes no worker, and no program that a worker starts is one', () => {
  const env = { [WORKER_VARIABLE]: JSON.stringify(facts) };
  assert.equal(workerFacts({ ...env }, false), null);
  assert.deepEqual(workerFacts(env, true), facts);
  assert.deepEqual(env, {});
  assert.equal(workerFacts({}, true), null);
});

test('a worker has a name and a folder of its own, and leaves what is there once to others', () => {
  const config = configOf({ ...postgres, 'admin-listen': ':9090', 'dns-listen': ':53' });
  assert.equal(config.settings.nodeName, 'a/2');
  assert.equal(config.settings.dataDir, '/data');
  assert.equal(config.ownDir, '/data/worker-2');
  assert.equal(config.adminListen, null);
  assert.equal(config.writesBootstrap, false);
  assert.deepEqual(config.settings.listen, { host: '::', port: 443, descriptor: 4, isShared: true });
  assert.equal(config.dnsListen?.isShared, true);
});

test('each worker has a port of its own for links', () => {
  const { links } = configOf({ ...postgres, 'link-listen': ':8444', 'link-address': 'one.example:9000' });
  assert.deepEqual(links, { listen: { host: '::', port: 8445 }, address: 'one.example:9001' });
  assert.throws(
    () => configOf({ ...postgres, 'link-listen': '10.0.0.5:65535' }),
    (error) => error instanceof ConfigError && /choose a lower port/.test(error.message),
  );
});
