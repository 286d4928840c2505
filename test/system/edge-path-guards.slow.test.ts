/** Guards by path in front of servers that read paths in lenient ways, as curl meets them over both versions of HTTP. */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { after, before, test } from 'node:test';
import { curl, curlMissing, Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

const LABEL = 'guards';
const NAME = `${LABEL}.underpass.localhost`;

/** Express compares without letter case and final slash, and with what it has decoded once. */
function express(path: string): string {
  return decodeURIComponent(path)
    .toLowerCase()
    .replace(/(.)\/$/, '$1');
}

/** Tomcat drops parameters, decodes, and resolves dots. */
function tomcat(path: string): string {
  return new URL(`http://x${decodeURIComponent(path.replace(/;[^/]*/g, ''))}`).pathname;
}

/** A proxy that decodes in front of a server that decodes. */
function twice(path: string): string {
  return decodeURIComponent(decodeURIComponent(path)).trim();
}

function withUrl(path: string): string {
  return new URL(path, 'http://localhost').pathname;
}

function isSecret(path: string): boolean {
  const readings = [express, tomcat, twice, withUrl].map((read) => {
    try {
      return read(path);
    } catch {
      return '';
    }
  });
  return readings.some((read) => read === '/secret' || read === '/admin' || read.startsWith('/admin/'));
}

let platform: Platform;
let upstream: Upstream;
let edge: string;
let backend_id: string;
let headersSeen: IncomingHttpHeaders = {};

before(async () => {
  platform = await Platform.shared({ args: ['--allow-private', '127.0.0.0/8'] });
  upstream = await startUpstream((request, response) => {
    headersSeen = request.headers;
    response.end(isSecret(request.url!.split('?')[0]!) ? 'secret' : 'open');
  });
  const address = `127.0.0.1:${upstream.port}`;
  backend_id = (await platform.api('POST', '/backends/static', { address })).json.id;
  edge = await httpsEdge(platform, LABEL, backend_id);
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

async function visit(path: string, ...more: readonly string[]): Promise<string> {
  const { stdout } = await curl(platform, [
    ...['--resolve', `${NAME}:${platform.port}:127.0.0.1`, '--path-as-is', ...more],
    ...['-w', ' %{http_code} %header{underpass-error-code}'],
    `https://${NAME}:${platform.port}${path}`,
  ]);
  return stdout.includes('ERR_SERVICE')
    ? stdout.slice(stdout.lastIndexOf(' ', stdout.lastIndexOf(' ') - 1) + 1)
    : stdout;
}

const spellings = [
  ...['/SECRET', '/secret/', '/Secret/', '/ADMIN', '/Admin/x', '/admin', '/%2561dmin/x', '/%2573ecret'],
  ...[
    '/secret;x=1',
    '/;x/secret',
    '/x/..;/secret',
    '/x/..%3b/..;/admin/x',
    '/secret%09',
    '/secret%20',
    '//x/secret',
  ],
  ...[
    '/%2Fadmin/x',
    '/x%2f..%2fadmin/x',
    '/x%5c..%5cadmin/x',
    '/\\x/secret',
    '/admin/../x',
    '/x/%252e%252e/secret',
  ],
  ...[
    '/%c1%b3ecret',
    '/%u0073ecret',
    '/%ef%bd%93ecret',
    '/%C5%BFecret',
    '/secret%2500',
    '/secret%23',
    '/secret%3f',
  ],
];
const harmless = [
  '/',
  '/x',
  '/X/',
  '/a%20b',
  '/a;b',
  '/A%2Fb',
  '/%C3%A9',
  '/secrets',
  '/administrator',
  '/a//b',
  '/x?/secret',
];

test('without a guard no path is refused', { skip: curlMissing }, async () => {
  for (const match of ['/admin/', '/secret']) {
    const route = { match_type: match === '/secret' ? 'exact_path' : 'path_prefix', match };
    const { status, text } = await platform.api('POST', `${edge}/routes`, {
      ...route,
      backend: { backend_id },
    });
    assert.equal(status, 201, text);
  }
  for (const path of [...spellings, ...harmless])
    assert.match(await visit(path), /^(?:secret|open) 200 $/, path);
  assert.equal(
    await visit('/x', '-H', 'X-Original-URL: /secret', '-H', 'X-HTTP-Method-Override: PUT'),
    'open 200 ',
  );
  assert.equal(headersSeen['x-original-url'], '/secret');
  assert.equal(headersSeen['x-http-method-override'], 'PUT');
});

test('behind a guard no spelling of a guarded path reaches the upstream, and other paths do', {
  skip: curlMissing,
}, async () => {
  const policy = (await platform.api('POST', '/ip_policies', {})).json.id;
  const { json } = await platform.api('GET', edge);
  for (const { id, match } of json.routes) {
    if (match === '/') continue;
    const body = { ip_policy_ids: [policy] };
    assert.equal((await platform.api('PUT', `${edge}/routes/${id}/ip_restriction`, body)).status, 200);
  }
  for (const version of ['--http1.1', '--http2']) {
    for (const path of ['/secret', '/admin/', '/admin/x', '/x/../secret', '/%61dmin/x'])
      assert.equal(await visit(path, version), '403 ERR_SERVICE_3205', path);
    for (const path of spellings)
      assert.match(await visit(path, version), /^4(?:00 ERR_SERVICE_60251|03 ERR_SERVICE_3205)$/, path);
    for (const path of harmless) assert.equal(await visit(path, version), 'open 200 ', path);
  }
});

test('behind a guard no header gives a request another path or method, on any route and in trailers', {
  skip: curlMissing,
}, async () => {
  const names = [
    'X-Original-URL',
    'X-Rewrite-URL',
    'X_Original_Url',
    'X-HTTP-Method-Override',
    'X-Forwarded-Uri',
    'SCRIPT_NAME',
  ];
  for (const version of ['--http1.1', '--http2']) {
    const headers = [...names, 'X-Kept'].flatMap((name) => ['-H', `${name}: /secret`]);
    assert.equal(await visit('/x', version, ...headers), 'open 200 ');
    assert.equal(headersSeen['x-kept'], '/secret');
    const all = Object.keys(headersSeen).filter((name) => headersSeen[name] === '/secret');
    assert.deepEqual(all, ['x-kept']);
  }
});
