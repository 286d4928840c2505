/** A6: what can be configured to be dialled never leads inside, in whatever notation; what is judged later is not dialled until then. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { after, before, test } from 'node:test';
import { closing, Platform } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

/** Listens on loopback, and remembers whether anybody came. */
let trap: Server;
let visits = 0;
let platform: Platform;

before(async () => {
  trap = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  trap.listen(0, '::');
  await once(trap, 'listening');
  platform = await Platform.start();
});
after(async () => {
  await platform.stop();
  trap.close();
});

const port = (): number => (trap.address() as AddressInfo).port;

const INSIDE: readonly string[] = [
  '127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 192.168.0.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255',
  '2130706433 0x7f000001 0x7f.1 0177.0.0.1 127.1 127.0.0.1. user@127.0.0.1 127.0.0.1# 127.0.0.1/',
  '[::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::]',
  '[fe80::1] [fe80::1%25lo] [fc00::1] [fd00:ec2::254] [ff02::1] ①②⑦.0.0.1 １２７.0.0.1 127。0。0。1',
].flatMap((line) => line.split(' '));

test('a static backend with an address inside is refused, as new and as a change', async () => {
  const { json } = await platform.api('POST', '/backends/static', { address: 'example.com:443' });
  for (const host of INSIDE) {
    const body = { address: `${host}:${port()}` };
    for (const answer of [
      await platform.api('POST', '/backends/static', body),
      await platform.api('PATCH', `/backends/static/${json.id}`, body),
    ]) {
      assert.equal(answer.status, 400, `${host}: ${answer.text}`);
      assert.equal(answer.json.details.field, '/address');
    }
  }
  assert.equal((await platform.api('GET', `/backends/static/${json.id}`)).json.address, 'example.com:443');
});

test('a site to send events to is a name', async () => {
  for (const host of INSIDE) {
    const target = { monitoring: { api_key: 'k', site: host } };
    const { status, text } = await platform.api('POST', '/event_destinations', { format: 'json', target });
    assert.equal(status, 400, `${host}: ${text}`);
  }
});

test('metadata of an identity provider is asked for nowhere inside', async () => {
  const { json: edge } = await platform.api('POST', '/edges/https', {});
  const routes = `/edges/https/${edge.id}/routes`;
  const { json: route } = await platform.api('POST', routes, { match_type: 'path_prefix', match: '/' });
  const { json: configuration } = await platform.api('POST', '/endpoint_configurations', { type: 'https' });
  for (const path of [`${routes}/${route.id}/saml`, `/endpoint_configurations/${configuration.id}/saml`]) {
    for (const host of INSIDE.flatMap((one) => [`https://${one}`, `http://${one}`])) {
      const idp_metadata_url = `${host}:${port()}/metadata`;
      const { status, json, text } = await platform.api('PUT', path, { idp_metadata_url });
      assert.deepEqual([status, json.details.field], [400, '/idp_metadata_url'], `${host}: ${text}`);
    }
    assert.equal((await platform.api('GET', path)).status, 404);
  }
});

test('names that lead inside are taken, and nobody is dialled: not for an event, not for a visitor', async () => {
  const uri = (host: string) => ({
    azure_logs_ingestion: {
      ...{ tenant_id: 't', client_id: 'c', client_secret: 's', data_collection_rule_id: 'r' },
      ...{ data_collection_stream_name: 's', logs_ingestion_uri: `https://${host}:${port()}/` },
    },
  });
  const made = async (path: string, body: object) => {
    const answer = await platform.api('POST', path, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
  };
  const destination_ids: string[] = [];
  for (const target of [
    uri('localhost'),
    uri('inside.localhost'),
    { monitoring: { api_key: 'k', site: 'localhost' } },
  ])
    destination_ids.push((await made('/event_destinations', { format: 'json', target })).id);
  await made('/event_subscriptions', { sources: [{ type: 'ip_policy_created.v0' }], destination_ids });
  await made('/ip_policies', {});

  const backend = await made('/backends/static', { address: `localhost:${port()}` });
  await httpsEdge(platform, 'inside', backend.id);
  const domain = 'inside.underpass.localhost';
  const { status, headers } = await platform.visit(domain);
  assert.deepEqual([status, headers['underpass-error-code']], [502, 'ERR_SERVICE_60260']);
  // All visits have ended after the end of the daemon.
  await platform.restart();
  const knock = connect(port(), '127.0.0.1');
  await closing(knock);
  assert.equal(visits, 1, 'nobody came but this test');
});
