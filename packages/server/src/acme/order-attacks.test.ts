/** Malicious authorities: each bad response fails the attempt with a useful message, and has no other effect. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { until } from '../../../../test/harness/until.ts';
import type { HostPattern } from '../core/names/hostname.ts';
import { AcmeClient } from './acme-client.ts';
import { AcmeAccountFailure, AcmeFailure } from './acme-failure.ts';
import { CrookedAuthority, type Reply, token } from './crooked-authority.fixture.ts';
import { orderCertificate, type Proof } from './order.ts';
import type { KnownOrder } from './order-memory.ts';

const name = 'www.example.com';
const wanted = {
  names: [name as HostPattern],
  keyType: 'ecdsa',
  challenges: ['http-01'],
  replaces: null,
} as const;
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const accountKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

async function start(t: TestContext) {
  const authority = await CrookedAuthority.start(t, name);
  const config = { authorities: [], email: null, externalAccount: null, dnsHook: null, serviceNames: false };
  const client = new AcmeClient({ ...config, directory: authority.directory, ordersPerHour: 0 });
  const published: Proof[] = [];
  let kept: KnownOrder | null = null;
  const order = (signal = new AbortController().signal) => {
    authority.asked.length = 0;
    return orderCertificate(
      {
        ...{ client, account: client.of(accountKey, authority.at('/account')), signal, known: kept },
        publish: async (proofs) => void published.push(...proofs),
        admit: async () => {},
        keep: async (known) => {
          kept = known;
        },
        forget: async () => {
          kept = null;
        },
      },
      wanted,
    );
  };
  const failure = async (): Promise<AcmeFailure> => {
    const error = await order().then(
      () => assert.fail('it was taken'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof AcmeFailure, String(error));
    return error;
  };
  /** Returns the failure of an order while the authority sends this response at this path. */
  const refused = async (path: string, reply: Reply | ((response: ServerResponse) => void)) => {
    kept = null;
    authority.replies.set(path, reply);
    const { message } = await failure();
    authority.replies.delete(path);
    assert.match(message, /^the certificate authority /);
    assert.ok(message.length < 600 && /^[\x20-\x7e…]*$/.test(message), message);
    return message;
  };
  return { authority, order, failure, refused, published, isKept: () => kept !== null };
}

const steps = ['/dir', '/orders', '/authorization', '/challenge', '/finalize', '/certificate'] as const;
/** Paths whose responses determine the next request. */
const telling = ['/dir', '/orders', '/authorization', '/finalize'] as const;

test('what an authority answers rightly is taken', async (t) => {
  const { order, published } = await start(t);
  assert.equal((await order()).chain, 'a chain');
  assert.deepEqual(
    published.map((proof) => [proof.hostname, proof.token]),
    [[name, token]],
  );
});

test('an answer without end, or that is long only when it is unpacked, is not read', async (t) => {
  const { refused } = await start(t);
  const packed = { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(64 * 1024 * 1024)) };
  const endless = (response: ServerResponse): void => {
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  };
  for (const path of steps) {
    assert.match(await refused(path, endless), /size/, path);
    assert.match(await refused(path, packed), /size/, path);
  }
});

test('pages, other shapes of data, and nothing at all are failures that say something', async (t) => {
  const { refused } = await start(t);
  const headers = { location: 'http://127.0.0.1:1/order' };
  const bodies = [
    '<!doctype html><h1>Maintenance</h1>',
    '',
    'null',
    '17',
    '[]',
    '{}',
    '{"status":"pending"}',
  ];
  const more = [
    '{"status":"pending","authorizations":17}',
    '{"status":"pending","authorizations":[{}]}',
    '{"status":"pending","identifier":17,"challenges":[17,null]}',
    '{"status":"invalid","error":17,"challenges":17,"identifier":{"value":"www.example.com"}}',
    '{"status":"pending","challenges":[{"type":"http-01"}],"identifier":{"value":"www.example.com"}}',
  ];
  for (const path of telling)
    for (const body of [...bodies, ...more]) await refused(path, { status: 201, headers, body });
  const certificate = await refused('/certificate', { body: '{"not":"a chain"}' });
  assert.match(certificate, /no certificate/);
});

test('redirects are never followed, and a plain URL is refused after one with TLS', async (t) => {
  const { authority, refused } = await start(t);
  for (const path of steps)
    await refused(path, { status: 302, headers: { location: authority.at('/elsewhere') }, body: '' });
  assert.ok(!authority.asked.includes('/elsewhere'));
  for (const url of ['https://127.0.0.1:1/orders', 'file:///etc/passwd', 'data:,{}', '/orders'])
    assert.match(
      await refused('/dir', { body: { newNonce: authority.at('/nonce'), newOrder: url } }),
      /names an address/,
      url,
    );
});

test('nonces that are never right are given up', async (t) => {
  const { authority, refused } = await start(t);
  const type = 'urn:ietf:params:acme:error:badNonce';
  await refused('/orders', { status: 400, body: { type, detail: 'no' } });
  assert.ok(authority.asked.length < 20, String(authority.asked));
});

test('the time of the next attempt is returned, and it is at most a week away', async (t) => {
  const { authority, failure } = await start(t);
  const year = String(365 * 24 * 3600);
  authority.replies.set('/orders', { status: 429, headers: { 'retry-after': year }, body: {} });
  assert.equal((await failure()).retryAfterMs, 7 * 24 * 3_600_000);
  authority.replies.set('/orders', { status: 503, headers: { 'retry-after': '-1e9' }, body: '<html>' });
  assert.equal((await failure()).retryAfterMs, 0);
});

test('more proofs than a certificate has names, of other names, or with a token that is none, are not given', async (t) => {
  const { authority, refused, published } = await start(t);
  const many = Array.from({ length: 10_000 }, (_, at) => authority.at(`/authorization/${at}`));
  const order = { status: 'pending', finalize: authority.at('/finalize'), authorizations: many };
  const headers = { location: authority.at('/order') };
  assert.match(await refused('/orders', { status: 201, headers, body: order }), /10000 proofs/);
  assert.ok(authority.asked.length < 10);
  const of = (value: string, challenge: object = {}) => ({
    body: {
      status: 'pending',
      identifier: { type: 'dns', value },
      challenges: [
        { type: 'http-01', status: 'pending', url: authority.at('/challenge'), token, ...challenge },
      ],
    },
  });
  assert.match(await refused('/authorization', of('other.example.com')), /another name/);
  for (const wrong of ['', 'a/b', '../x', '<script>', 'a b', 'a'.repeat(1025), 17])
    assert.match(await refused('/authorization', of(name, { token: wrong })), /token/, String(wrong));
  assert.deepEqual(published, []);
});

test('what never comes to anything is looked at again for as long as the attempt lasts', async (t) => {
  const processing = { status: 'processing', finalize: 'x', authorizations: [] };
  for (const path of ['/order', '/authorization']) {
    const { authority, order } = await start(t);
    if (path === '/order')
      for (const at of ['/finalize', path]) authority.replies.set(at, { body: processing });
    else authority.isProven = false;
    const ended = new AbortController();
    const attempt = assert.rejects(order(ended.signal));
    await until(() => authority.asked.filter((asked) => asked === path).length > 3);
    ended.abort();
    await attempt;
  }
});

test('what an authority does not give of an order is not asked for again, but what it cannot give now is', async (t) => {
  const { authority, failure, order, isKept } = await start(t);
  authority.replies.set('/certificate', { status: 503, body: '<html>' });
  await failure();
  assert.ok(isKept());
  authority.replies.set('/certificate', { status: 404, body: { detail: 'there is none' } });
  await failure();
  assert.ok(!isKept());
  authority.replies.delete('/certificate');
  await order();
  assert.ok(authority.asked.includes('/orders'));
  const asksAnew = async (reply: Reply): Promise<boolean> => {
    authority.replies.set('/order', reply);
    const outcome = await order().catch((error: unknown) => error);
    authority.replies.delete('/order');
    assert.equal(outcome instanceof AcmeFailure, !authority.asked.includes('/orders'));
    return authority.asked.includes('/orders');
  };
  assert.equal(await asksAnew({ status: 502, body: '<html>' }), false, 'it may know it later');
  assert.equal(await asksAnew({ status: 404, body: '<html>' }), true);
});

test('an account is given up when the authority does not take it, and not for what it refuses to one name', async (t) => {
  const { authority, failure } = await start(t);
  const type = 'urn:ietf:params:acme:error:unauthorized';
  authority.replies.set('/orders', { status: 403, body: { type, detail: 'not this name' } });
  const isGivenUp = async (reply: Reply): Promise<boolean> => {
    authority.replies.set('/account', reply);
    return (await failure()) instanceof AcmeAccountFailure;
  };
  assert.equal(await isGivenUp({ body: { status: 'valid' } }), false);
  assert.equal(await isGivenUp({ status: 503, body: '' }), false, 'nobody knows');
  assert.equal(await isGivenUp({ body: { status: 'deactivated' } }), true);
  assert.equal(await isGivenUp({ status: 401, body: { type } }), true);
});
