/** Clients that were made for another name of the API, beside others, on one daemon: with the profile of docs/build/profile.yaml. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Answer, Platform, Process, startUpstream } from '../harness/index.ts';

const PROFILE = fileURLToPath(new URL('../../docs/build/profile.yaml', import.meta.url));
const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));
const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
const SECRET = 'v3rySecretSecret';
const place = 'us-east-1:123456789012';

let platform: Platform;
before(async () => {
  platform = await Platform.start({ args: ['--profile', PROFILE] });
});
after(() => platform.stop());

/** A request of a client that the profile is for. */
async function theirs(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { api_key, base_url } = platform.bootstrap;
  return await platform.client.unchecked(new URL(path, base_url), {
    method,
    headers: {
      authorization: `Bearer ${api_key}`,
      'example-version': '2',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

function ours(method: string, path: string, body?: unknown): Promise<Answer> {
  return platform.api(method, path, body);
}

/** No name or value of the daemon's own that the profile has another word for, nor its prefix and headers. */
const OWN =
  /delivery_stream(?!_arn)|stream_identifier|log_group(?!_arn)|cloud_|role_identifier|public_ca|\/(?:stream|monitoring)\b|ERR_SERVICE|underpass-|Service-Version/i;

function problem(answer: Answer, status: number, number: number): Answer {
  const { status_code, error_code, details } = answer.json;
  assert.deepEqual(
    [answer.status, status_code, error_code],
    [status, status, `ERR_EXAMPLE_${number}`],
    answer.text,
  );
  assert.equal(details.operation_id, answer.headers['example-operation-id']);
  assert.doesNotMatch(answer.text, OWN);
  assert.doesNotMatch(Object.keys(answer.headers).join(), OWN);
  return answer;
}

interface Target {
  /** A body in the published words, and the same in our words. */
  readonly send: object;
  readonly own: object;
  /** The bodies of reads. */
  readonly shown: object;
  readonly ownShown: object;
  /** Another place to send to, in their words, without the secret. */
  readonly moved: object;
  readonly movedShown: object;
}

const role_arn = 'arn:aws:iam::123456789012:role/events';
const keys = { aws_access_key_id: 'AKIA1', aws_secret_access_key: SECRET };
const ownKeys = { cloud_access_key_id: 'AKIA1', cloud_secret_access_key: SECRET };
const firehose = (name: string) => ({
  delivery_stream_arn: `arn:aws:firehose:${place}:deliverystream/${name}`,
});
const kinesis = (name: string) => ({ stream_arn: `arn:aws:kinesis:${place}:stream/${name}` });
const logs = (name: string) => ({ log_group_arn: `arn:aws:logs:${place}:log-group:${name}` });
const bucket = (name: string) => ({ bucket_arn: `arn:aws:s3:::${name}` });
const stored = { object_prefix: '', compression: false, max_file_size: 0, max_file_age: 0 };
const shownKeys = { role: null, creds: { aws_access_key_id: 'AKIA1', aws_secret_access_key: '' } };
const ownShownKeys = { role: null, creds: { cloud_access_key_id: 'AKIA1', cloud_secret_access_key: '' } };

const targets: Readonly<Record<string, Target>> = {
  firehose: {
    send: { firehose: { auth: { creds: keys }, ...firehose('a') } },
    own: {
      delivery_stream: {
        auth: { creds: ownKeys },
        delivery_stream_identifier: firehose('a').delivery_stream_arn,
      },
    },
    shown: { firehose: { auth: shownKeys, ...firehose('a') } },
    ownShown: {
      delivery_stream: { auth: ownShownKeys, delivery_stream_identifier: firehose('a').delivery_stream_arn },
    },
    moved: { firehose: { auth: { creds: { aws_access_key_id: 'AKIA1' } }, ...firehose('b') } },
    movedShown: { firehose: { auth: shownKeys, ...firehose('b') } },
  },
  kinesis: {
    send: { kinesis: { auth: { role: { role_arn } }, ...kinesis('a') } },
    own: {
      stream: { auth: { role: { role_identifier: role_arn } }, stream_identifier: kinesis('a').stream_arn },
    },
    shown: { kinesis: { auth: { role: { role_arn }, creds: null }, ...kinesis('a') } },
    ownShown: {
      stream: {
        auth: { role: { role_identifier: role_arn }, creds: null },
        stream_identifier: kinesis('a').stream_arn,
      },
    },
    moved: { kinesis: { auth: { creds: keys }, ...kinesis('b') } },
    movedShown: { kinesis: { auth: shownKeys, ...kinesis('b') } },
  },
  cloudwatch_logs: {
    send: { cloudwatch_logs: { auth: { creds: keys }, ...logs('a') } },
    own: { log_group: { auth: { creds: ownKeys }, log_group_identifier: logs('a').log_group_arn } },
    shown: { cloudwatch_logs: { auth: shownKeys, ...logs('a') } },
    ownShown: { log_group: { auth: ownShownKeys, log_group_identifier: logs('a').log_group_arn } },
    moved: { cloudwatch_logs: { auth: { role: { role_arn } }, ...logs('b') } },
    movedShown: { cloudwatch_logs: { auth: { role: { role_arn }, creds: null }, ...logs('b') } },
  },
  s3: {
    send: { s3: { auth: { creds: keys }, ...bucket('a-1'), compression: true } },
    own: {
      s3: { auth: { creds: ownKeys }, bucket_identifier: bucket('a-1').bucket_arn, compression: true },
    },
    shown: { s3: { auth: shownKeys, ...bucket('a-1'), ...stored, compression: true } },
    ownShown: {
      s3: {
        ...{ auth: ownShownKeys, bucket_identifier: bucket('a-1').bucket_arn },
        ...{ ...stored, compression: true },
      },
    },
    moved: { s3: { auth: { creds: { aws_access_key_id: 'AKIA1' } }, ...bucket('b-1') } },
    movedShown: { s3: { auth: shownKeys, ...bucket('b-1'), ...stored } },
  },
  datadog: {
    send: { datadog: { api_key: SECRET, ddtags: 'a:b', service: 'edge', ddsite: 'us3' } },
    own: { monitoring: { api_key: SECRET, tags: 'a:b', service: 'edge', site: 'us3' } },
    shown: { datadog: { api_key: '', ddtags: 'a:b', service: 'edge', ddsite: 'us3' } },
    ownShown: { monitoring: { api_key: '', tags: 'a:b', service: 'edge', site: 'us3' } },
    moved: { datadog: { ddsite: 'us3' } },
    movedShown: { datadog: { api_key: '', ddtags: '', service: '', ddsite: 'us3' } },
  },
};

const none = {
  firehose: null,
  kinesis: null,
  cloudwatch_logs: null,
  s3: null,
  datadog: null,
  azure_logs_ingestion: null,
};
const ownNone = {
  delivery_stream: null,
  stream: null,
  log_group: null,
  s3: null,
  monitoring: null,
  azure_logs_ingestion: null,
};

describe('an event destination', () => {
  for (const [name, { send, own, shown, ownShown, moved, movedShown }] of Object.entries(targets)) {
    test(`${name}: lives in both vocabularies at once`, async () => {
      const path = '/event_destinations';
      const created = await theirs('POST', path, { format: 'json', description: name, target: send });
      assert.equal(created.status, 201, created.text);
      const { id } = created.json;
      assert.deepEqual(created.json.target, { ...none, ...shown });
      const read = await theirs('GET', `${path}/${id}`);
      assert.deepEqual(read.json, created.json);
      const neutral = await ours('GET', `${path}/${id}`);
      assert.deepEqual(neutral.json, { ...created.json, target: { ...ownNone, ...ownShown } });

      const twin = await ours('POST', path, { format: 'json', target: own });
      assert.deepEqual(twin.json.target, { ...ownNone, ...ownShown });
      const listed = await theirs('GET', `${path}?limit=2`);
      assert.deepEqual(
        listed.json.event_destinations.map((one: { target: object }) => one.target),
        [
          { ...none, ...shown },
          { ...none, ...shown },
        ],
      );
      assert.equal(listed.json.event_destinations[1].id, id);
      const ownList = await ours('GET', `${path}?limit=1`);
      assert.deepEqual(ownList.json.event_destinations[0].target, { ...ownNone, ...ownShown });

      const described = await theirs('PATCH', `${path}/${id}`, { id, description: 'd' });
      assert.deepEqual(described.json, { ...created.json, description: 'd' });
      const patched = await theirs('PATCH', `${path}/${id}`, { target: moved });
      assert.equal(patched.status, 200, patched.text);
      assert.deepEqual(patched.json.target, { ...none, ...movedShown });
      assert.deepEqual((await theirs('GET', `${path}/${id}`)).json, patched.json);

      const subscription = await theirs('POST', '/event_subscriptions', {
        sources: [{ type: 'ip_policy_created.v0' }],
        destination_ids: [id],
      });
      assert.deepEqual(subscription.json.destinations, [{ id, uri: created.json.uri }]);
      const sources = `/event_subscriptions/${subscription.json.id}/sources`;
      assert.equal((await theirs('POST', sources, { type: 'ip_policy_updated.v0' })).status, 201);
      const all = (await theirs('GET', `${sources}?beforeId=ip_policy_updated.v0`)).json.sources;
      assert.deepEqual(all, [{ type: 'ip_policy_created.v0', uri: all[0].uri }]);
      assert.equal((await theirs('PATCH', `${sources}/ip_policy_created.v0`, {})).status, 200);
      assert.equal((await theirs('DELETE', `${sources}/ip_policy_created.v0`)).status, 204);
      problem(await theirs('DELETE', `${path}/${id}`), 409, 5112);
      const gone = await theirs('DELETE', `/event_subscriptions/${subscription.json.id}`);
      assert.deepEqual([gone.status, gone.text], [204, '']);
      assert.equal((await theirs('DELETE', `${path}/${id}`)).status, 204);
      problem(await theirs('GET', `${path}/${id}`), 404, 60000);
      assert.equal((await ours('DELETE', `${path}/${twin.json.id}`)).status, 204);

      for (const { text } of [created, read, listed, patched]) assert.ok(!text.includes(SECRET));
    });
  }

  test("a refusal has the words of the caller's profile", async () => {
    const path = '/event_destinations';
    const create = (target: object) => theirs('POST', path, { format: 'json', target });
    const cases: [object, number, string, string?][] = [
      [
        { delivery_stream: { x: 1 } },
        214,
        '/target/delivery_stream',
        'firehose, kinesis, cloudwatch_logs, s3, datadog, azure_logs_ingestion',
      ],
      [{ firehose: { ...firehose('a') } }, 5106, '/target/firehose/auth'],
      [
        { firehose: { auth: { creds: ownKeys }, ...firehose('a') } },
        214,
        '/target/firehose/auth/creds/cloud_access_key_id',
        'aws_access_key_id, aws_secret_access_key',
      ],
      [
        { firehose: { auth: { role: { role_arn: 'x' } }, ...firehose('a') } },
        5104,
        '/target/firehose/auth/role/role_arn',
      ],
      [
        { kinesis: { auth: { creds: { aws_access_key_id: '-' } }, ...kinesis('a') } },
        60586,
        '/target/kinesis/auth/creds/aws_access_key_id',
      ],
      [
        { kinesis: { auth: { creds: { aws_access_key_id: 'A' } }, ...kinesis('a') } },
        60587,
        '/target/kinesis/auth/creds/aws_secret_access_key',
      ],
      [{ kinesis: { auth: { role: { role_arn } }, stream_arn: 'x' } }, 60585, '/target/kinesis/stream_arn'],
      [{ cloudwatch_logs: { auth: { role: { role_arn } } } }, 60584, '/target/cloudwatch_logs/log_group_arn'],
      [
        { datadog: { api_key: 'k', tags: 'x' } },
        214,
        '/target/datadog/tags',
        'api_key, ddtags, service, ddsite',
      ],
      [{ datadog: { api_key: 'k', ddtags: 1 } }, 215, '/target/datadog/ddtags'],
      [{ datadog: { api_key: 'k', ddsite: 'a b' } }, 5134, '/target/datadog/ddsite'],
      [{ datadog: { api_key: 'k' }, kinesis: { auth: { creds: keys }, ...kinesis('a') } }, 5115, '/target'],
    ];
    for (const [target, number, field, allowed] of cases) {
      const { json, text } = await create(target);
      assert.deepEqual([json.error_code, json.details.field], [`ERR_EXAMPLE_${number}`, field], text);
      if (allowed !== undefined) assert.equal(json.details.allowed, allowed);
      // Except for the client's own texts.
      const said = `${json.msg.replaceAll(field, '')} ${json.details.allowed ?? ''}`;
      assert.doesNotMatch(said, OWN);
      assert.ok(!text.includes(SECRET));
    }
    const made = (await create({ datadog: { api_key: 'k', ddsite: 'us1' } })).json;
    const elsewhere = await theirs('PATCH', `${path}/${made.id}`, { target: { datadog: { ddsite: 'eu1' } } });
    assert.match(problem(elsewhere, 400, 60591).json.msg, /the old ddsite /);
    const other = { firehose: { auth: { role: { role_arn } }, ...firehose('a') } };
    const { msg } = problem(await theirs('PATCH', `${path}/${made.id}`, { target: other }), 400, 5108).json;
    assert.match(msg, /the type datadog, .* here to firehose/);
    await ours('DELETE', `${path}/${made.id}`);

    const neutral = await ours('POST', path, { format: 'json', target: { firehose: { x: 1 } } });
    assert.deepEqual(
      [neutral.json.error_code, neutral.json.details.allowed],
      ['ERR_SERVICE_214', 'delivery_stream, stream, log_group, s3, monitoring, azure_logs_ingestion'],
    );
  });

  test('secrets are kept from everybody, whatever they are called', async () => {
    assert.equal(await platform.grepDataDir(SECRET), false);
    assert.ok(!platform.daemon.output.includes(SECRET));
  });
});

test('the authority of a managed certificate is taken by their name for it, and by no other', async () => {
  const reserve = (ask: typeof theirs, authority: string) =>
    ask('POST', '/reserved_domains', {
      name: 'managed.example.com',
      certificate_management_policy: { authority, private_key_type: 'rsa' },
    });
  // As far as certificates of this daemon go: both are understood alike.
  const understood = problem(await reserve(theirs, 'letsencrypt'), 400, 60130);
  assert.equal((await reserve(ours, 'public_ca')).json.error_code, 'ERR_SERVICE_60130');
  assert.equal(understood.json.details.field, '/certificate_management_policy');
  const { json } = await reserve(theirs, 'public_ca');
  assert.deepEqual(
    [json.error_code, json.details.field, json.details.allowed],
    ['ERR_EXAMPLE_435', '/certificate_management_policy/authority', 'letsencrypt'],
  );
  assert.match(json.msg, /"public_ca"/);
  const neutral = (await reserve(ours, 'letsencrypt')).json;
  assert.deepEqual([neutral.error_code, neutral.details.allowed], ['ERR_SERVICE_435', 'public_ca']);
  const domain = await theirs('POST', '/reserved_domains', { name: 'theirs' });
  assert.equal(domain.status, 201);
  assert.equal(domain.json.certificate_management_policy, null);
});

describe('what holds for every request', () => {
  test('the version header decides, whatever goes wrong', async () => {
    problem(await theirs('GET', '/tunnels', undefined, { authorization: '' }), 401, 200);
    problem(await theirs('GET', '/nowhere'), 404, 60001);
    problem(await theirs('PUT', '/tunnels'), 405, 60002);
    problem(await theirs('GET', '/tunnels?limit=0'), 400, 233);
    const version = problem(await theirs('GET', '/tunnels', undefined, { 'example-version': '1' }), 400, 217);
    assert.equal(version.json.details.field, 'example-version');
    const malformed = await theirs('POST', '/credentials', undefined, { 'content-type': 'application/json' });
    problem(malformed, 400, 213);
    const both = await theirs('GET', '/tunnels', undefined, { 'service-version': '2' });
    assert.equal(both.status, 200);
    assert.match(String(both.headers['example-operation-id']), /^op_/);
    const neither = await theirs('GET', '/tunnels', undefined, { 'service-version': '1' });
    assert.equal(neither.json.error_code, 'ERR_EXAMPLE_217');
  });

  test('without it everything is as without a profile', async () => {
    const { api_key, base_url } = platform.bootstrap;
    const authorization = `Bearer ${api_key}`;
    const missing = await platform.client.request(new URL('/tunnels', base_url), {
      headers: { authorization },
    });
    assert.deepEqual([missing.status, missing.json.error_code], [400, 'ERR_SERVICE_218']);
    assert.match(missing.json.msg, /"Service-Version: 2"/);
    const { headers } = await ours('GET', '/tunnels');
    assert.match(String(headers['underpass-operation-id']), /^op_/);
    assert.equal(headers['example-operation-id'], undefined);
  });

  test('a page of another origin may read the header that names its request', async () => {
    const { headers } = await theirs('GET', '/tunnels', undefined, { origin: 'https://x.example' });
    assert.equal(
      headers['access-control-expose-headers'],
      'etag, retry-after, unreachable-nodes, not-everywhere, example-operation-id',
    );
  });
});

describe('visitors and agents', () => {
  test('read codes of the edge by the names of the profile, and from nobody else', async (t) => {
    const upstream = await startUpstream((_request, response) => {
      const spoofed = {
        'Example-Error-Code': 'ERR_1',
        Example_Error_Code: 'ERR_2',
        'Underpass-Error-Code': 'ERR_3',
      };
      response.writeHead(200, { ...spoofed, 'x-kept': '1' });
      response.end('hi');
    });
    t.after(() => upstream.stop());
    const { url } = await platform.agent(['http', String(upstream.port)]);
    const served = await platform.visit(url);
    assert.equal(served.headers['x-kept'], '1');
    assert.doesNotMatch(JSON.stringify(served.headers), /error.code/i);

    const dark = await platform.visit('theirs.underpass.localhost');
    assert.equal(dark.status, 404);
    assert.equal(dark.headers['example-error-code'], 'ERR_EXAMPLE_3200');
    assert.match(dark.text, /ERR_EXAMPLE_3200/);
    assert.equal(dark.headers['underpass-error-code'], undefined);

    for (const name of ['Example-Error-Code', 'underpass-error-code']) {
      const refused = await ours('POST', '/backends/http_response', { headers: { [name]: 'ERR_1' } });
      assert.equal(refused.json.error_code, 'ERR_SERVICE_60112');
    }
  });

  test('no visitor says who has logged in, however the name of the profile is spelled', async (t) => {
    const upstream = await startUpstream((request, response) => response.end(request.rawHeaders.join()));
    t.after(() => upstream.stop());
    const { url } = await platform.agent(['http', String(upstream.port)]);
    const names = ['Example-Auth-User-Id', 'example_auth_user_email', 'EXAMPLE-AUTH_USER-GROUPS', 'x-kept'];
    const headers = Object.fromEntries(names.map((name) => [name, 'root']));
    const { text } = await platform.visit(url, { headers });
    assert.match(text, /x-kept,root/);
    assert.doesNotMatch(text, /auth.user/i);
  });

  test('an agent is refused with their prefix', async () => {
    const { connect_addr, ca_file } = platform.bootstrap;
    const wrong = `${'0'.repeat(27)}_${'0'.repeat(22)}`;
    const args = ['http', '3000', '--server', connect_addr, '--ca', ca_file, '--authtoken', wrong];
    const agent = Process.node(AGENT, args);
    await agent.exited;
    assert.match(agent.output, /ERR_EXAMPLE_107/);
    assert.doesNotMatch(agent.output, /ERR_SERVICE/);
  });
});

describe('a profile that cannot be', () => {
  const V = 'version-header: Example-Version\n';
  const cases: readonly (readonly [text: string, args: readonly string[], message: RegExp])[] = [
    [`${V}colour: red`, [], /p\.yaml: line 2: there is no key "colour"/],
    [`${V}fields:\n  /event_destinations:\n    target.x: y`, [], /p\.yaml: line 4: there is no "target\.x"/],
    [
      `${V}fields:\n  /event_destinations:\n    target.stream: log_group`,
      [],
      /p\.yaml: line 4: "target\.stream" cannot be called "log_group"/,
    ],
    [
      'version-header: service-version',
      [],
      /version header service-version is also the one of requests without/,
    ],
    [V, ['--version-header', 'EXAMPLE-version'], /version header Example-Version is also the one/],
  ];
  for (const [text, args, message] of cases) {
    test(`${JSON.stringify(text)}: a clear error, exit 2, and nothing made`, async () => {
      const dir = mkdtempSync(join(tmpdir(), 'underpass-profile-'));
      try {
        writeFileSync(join(dir, 'p.yaml'), text);
        const options = ['--listen', '127.0.0.1:1', '--data-dir', join(dir, 'data'), ...args];
        const daemon = Process.node(DAEMON, [
          ...options,
          '--profile',
          join(dir, 'p.yaml'),
          '--log-format',
          'people',
        ]);
        const { code } = await daemon.exited;
        assert.equal(code, 2, daemon.output);
        assert.match(daemon.output, message);
        assert.doesNotMatch(daemon.output, /\n\s+at /, 'no stack trace');
        assert.deepEqual(readdirSync(dir), ['p.yaml']);
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    });
  }
});
