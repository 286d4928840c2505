/**
 * Public TCP ports, and addresses of backends.
 * Invariant: none leads to an inner address.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { freePortRange, Platform, Visitor, type VisitorAnswer } from '../harness/index.ts';

const NAME = 'edge.underpass.localhost';
const code = (number: number) => `ERR_SERVICE_${number}`;
let platform: Platform;
/** The first of the two ports that there are. */
let firstPort: number;

before(async () => {
  firstPort = await freePortRange(2);
  const ports = `${firstPort}-${firstPort + 1}`;
  platform = await Platform.start({
    args: ['--tcp-ports', ports, '--allow-private', '10.1.0.0/16', '--allow-private', 'fd00::/8'],
  });
});
after(() => platform.stop());

async function create(path: string, body: object): Promise<{ id: string } & Record<string, string>> {
  const { status, json } = await platform.api('POST', path, body);
  assert.equal(status, 201, JSON.stringify(json));
  return json;
}

async function refused(path: string, body: object): Promise<[number, string]> {
  const { status, json } = await platform.api('POST', path, body);
  return [status, json.error_code];
}

test('the operator says which ports there are, and each goes to one address until it is released', async () => {
  const [first, second] = [await create('/reserved_addrs', {}), await create('/reserved_addrs', {})];
  for (const { addr } of [first, second])
    assert.match(
      addr ?? '',
      new RegExp(`^[0-8]\\.tcp\\.underpass\\.localhost:(${firstPort}|${firstPort + 1})$`),
    );
  assert.notEqual(first.addr?.split(':')[1], second.addr?.split(':')[1]);
  assert.deepEqual(await refused('/reserved_addrs', {}), [409, code(503)]);
  const edge = await create('/edges/tcp', { hostports: [first.addr] });
  const { json } = await platform.api('GET', '/endpoints');
  const [endpoint] = json.endpoints;
  assert.deepEqual([endpoint.public_url, endpoint.edge.id], [`tcp://${first.addr}`, edge.id]);
  assert.equal((await platform.api('DELETE', `/reserved_addrs/${first.id}`)).json.error_code, code(60564));
  assert.equal((await platform.api('DELETE', `/edges/tcp/${edge.id}`)).status, 204);
  assert.equal((await platform.api('DELETE', `/reserved_addrs/${first.id}`)).status, 204);
  const next = await create('/reserved_addrs', { region: 'eu' });
  assert.equal(next.addr?.split(':')[1], first.addr?.split(':')[1]);
});

test('A6: a static backend names public addresses and those that the operator allows, in whatever spelling', async () => {
  for (const [address, shown] of [
    ['10.1.2.3:80', '10.1.2.3:80'],
    ['[::FFFF:10.1.2.3]:80', '10.1.2.3:80'],
    ['[fd00:0::1]:80', '[fd00::1]:80'],
    ['Example.COM:443', 'example.com:443'],
  ]) {
    assert.equal((await create('/backends/static', { address })).address, shown);
  }
  for (const [address, number] of [
    ['10.2.0.1:80', 60562],
    ['127.0.0.1:80', 60562],
    ['169.254.169.254:80', 60562],
    ['[::1]:80', 60562],
    ['[::ffff:127.0.0.1]:80', 60562],
    ['[64:ff9b::7f00:1]:80', 60562],
    ['0x7f000001:80', 6506],
    ['2130706433:80', 6506],
    ['127.1:80', 6506],
    ['[fe80::1%lo]:80', 6506],
  ] as const) {
    assert.deepEqual(await refused('/backends/static', { address }), [400, code(number)], address);
  }
});

test('a TLS edge answers from backends that nest, and not at all where TLS passes through', async () => {
  const response = await create('/backends/http_response', { body: 'hello' });
  await create('/reserved_domains', { name: 'edge' });
  const { id } = await create('/edges/tls', { hostports: [`${NAME}:443`] });
  const set = async (module: string, body: object) => {
    const { status, json } = await platform.api('PUT', `/edges/tls/${id}/${module}`, body);
    assert.equal(status, 200, JSON.stringify(json));
  };
  const connect = () => Visitor.connect({ port: platform.port, servername: NAME, ca: platform.ca });
  const visit = async (): Promise<VisitorAnswer> => {
    const visitor = await connect();
    const answer = await visitor.get();
    visitor.close();
    return answer;
  };
  const served = { status: 200, code: '' };
  const backends = [
    [await create('/backends/failover', { backends: [response.id] }), served],
    [await create('/backends/weighted', { backends: { [response.id]: 1 } }), served],
    [await create('/backends/static', { address: 'nobody.invalid:80' }), null],
  ] as const;
  for (const [backend, answer] of backends) {
    await set('backend', { backend_id: backend.id });
    await assert.rejects(connect());
    await set('tls_termination', { terminate_at: 'edge' });
    if (answer === null) await assert.rejects(visit());
    else assert.deepEqual(await visit(), answer);
    await set('backend', { backend_id: response.id });
    assert.deepEqual(await visit(), served);
    await set('tls_termination', { terminate_at: 'upstream' });
  }
});
