/** A4: what is secret is in the answer that is meant to show it, if there is one, and nowhere else. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { makeChain } from '../../packages/server/src/pki/certificates.fixture.ts';
import { idpMetadata } from '../../packages/server/src/pki/idp-metadata.fixture.ts';
import type { JsonObject } from '../../packages/server/src/store/store.ts';
import { onBothStores, type World } from './both-stores.fixture.ts';

type Call = readonly [method: string, path: string, body?: JsonObject];

const fresh = (): string => randomBytes(20).toString('hex');

/** Every target with a secret in its place. */
function targets(secret: string): readonly JsonObject[] {
  const creds = { cloud_access_key_id: 'AKIA1', cloud_secret_access_key: secret };
  const arn = (rest: string): string => `arn:aws:${rest}`;
  return [
    {
      delivery_stream: {
        auth: { creds },
        delivery_stream_identifier: arn('firehose:us-east-1:123456789012:deliverystream/a'),
      },
    },
    { stream: { auth: { creds }, stream_identifier: arn('kinesis:us-east-1:123456789012:stream/a') } },
    { log_group: { auth: { creds }, log_group_identifier: arn('logs:us-east-1:123456789012:log-group:a') } },
    { s3: { auth: { creds }, bucket_identifier: arn('s3:::events') } },
    { monitoring: { api_key: secret } },
    {
      azure_logs_ingestion: {
        tenant_id: 't',
        client_id: 'c',
        client_secret: secret,
        logs_ingestion_uri: 'https://logs.example.com',
        data_collection_rule_id: 'r',
        data_collection_stream_name: 's',
      },
    },
  ];
}

onBothStores((world) => {
  test('tokens are shown once, to who made them', async () => {
    const { home } = world();
    const secrets: string[] = [];
    const calls: Call[] = [];
    for (const kind of ['credential', 'api_key']) {
      const made = await home.create(kind, {});
      const token = String(made.token);
      const path = `${home.path(kind)}/${made.id}`;
      secrets.push(token.split('_')[1] ?? '');
      assert.equal((await home.call('GET', path)).json.token, null);
      calls.push(['PATCH', path, { metadata: 'x' }], ['POST', home.path(kind), { token }]);
      calls.push(
        ['GET', `${home.path(kind)}/${token}?token=${token}`],
        ['GET', home.path(kind)],
        ['DELETE', path],
      );
    }
    await staysHidden(world(), secrets, calls);
  });

  test('what an account begins with is kept by nobody but who made it', async () => {
    const secrets = world().made.map((token) => token.split('_')[1] ?? '');
    assert.deepEqual(
      secrets.map(({ length }) => length),
      [22, 22],
    );
    await staysHidden(world(), secrets, []);
  });

  test('secrets of event targets come back empty', async () => {
    const { home } = world();
    const secrets: string[] = [];
    const calls: Call[] = [];
    for (const [at, target] of targets('').entries()) {
      const [first, second] = [fresh(), fresh()];
      secrets.push(first, second);
      const body = { format: 'json', target: targets(first)[at] as JsonObject };
      const { id } = await home.create('event_destination', body);
      const path = `${home.path('event_destination')}/${id}`;
      const [name = '', inner] = Object.entries(target)[0] ?? [];
      calls.push(
        ['POST', home.path('event_destination'), body],
        ['PATCH', path, { target: targets(second)[at] as JsonObject }],
        ['PATCH', path, { target: { [name]: { ...(inner as JsonObject), [`${name}_x`]: first } } }],
        ['PATCH', path, { format: 'xml', target: targets(first)[at] as JsonObject }],
        ['POST', home.path('event_destination'), { ...body, target: { ...body.target, role: first } }],
      );
    }
    await staysHidden(world(), secrets, calls);
  });

  test('private keys never come out again, whether they were uploaded or made here', async () => {
    const { home } = world();
    const chain = makeChain('secret.example.com');
    const [, line = ''] = chain.key.split('\n');
    assert.ok(line.length > 40);
    const upload = { certificate_pem: chain.leaf, private_key_pem: chain.key };
    const { id } = await home.create('tls_certificate', upload);
    const { path: authority } = await home.make('ssh_certificate_authority', { private_key_type: 'rsa' });
    const { path: route } = await home.make('https_edge_route');
    const { path: configuration } = await home.make('endpoint_configuration');
    const saml = { idp_metadata: idpMetadata() };
    await staysHidden(
      world(),
      [line, 'PRIVATE KEY'],
      [
        ['GET', `${home.path('tls_certificate')}/${id}`],
        ['POST', home.path('tls_certificate'), { certificate_pem: chain.key, private_key_pem: chain.leaf }],
        ['POST', home.path('tls_certificate'), { ...upload, private_key_pem: `${chain.key}${chain.key}` }],
        ['POST', home.path('certificate_authority'), { ca_pem: chain.key }],
        ['POST', home.path('ssh_credential'), { public_key: chain.key }],
        ['GET', authority],
        ['PUT', `${route}/saml`, saml],
        ['GET', `${route}/saml`],
        ['GET', route],
        ['PUT', `${configuration}/saml`, saml],
        ['GET', configuration],
      ],
    );
  });
});

/** Asserts that no response, list, log, metric or byte of the store contains any of the texts after these calls. */
async function staysHidden(
  { home, daemons, operations, stored }: World,
  secrets: readonly string[],
  calls: readonly Call[],
): Promise<void> {
  const lists = operations.filter(({ id, parameters }) => id.endsWith('_list') && parameters.length === 0);
  const listing = lists.map(({ path }) => ['GET', path] as const);
  assert.ok(secrets.every(({ length }) => length > 10));
  for (const [method, path, body] of [...calls, ...listing]) {
    const { text, status } = await home.call(method, path, body);
    assert.ok(status < 500, text);
    for (const secret of secrets) assert.ok(!text.includes(secret), `${method} ${path}: ${text}`);
  }
  const files = await stored();
  for (const daemon of daemons) {
    const metrics = await (await fetch(`http://127.0.0.1:${daemon.adminPort}/metrics`)).text();
    for (const secret of secrets) {
      assert.ok(!metrics.includes(secret), 'in the metrics');
      assert.ok(!daemon.daemon.output.includes(secret), 'in the log');
      assert.equal(files.indexOf(secret), -1, 'in the store');
    }
  }
}
