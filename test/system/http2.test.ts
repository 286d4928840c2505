/**
 * The same requests over HTTP/1.1 and HTTP/2, by curl, through a real daemon and agent.
 * Invariant: both have the same meaning.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { curl, curlMissing, Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

let platform: Platform;
let upstream: Upstream;
let url: string;

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream(tell);
  url = (await platform.agent(['http', String(upstream.port)])).url;
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

/** Returns the request in the response; the path chooses further parts of the response. */
function tell(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url: target = '', headers, trailers } = request;
    // The framing of a body without a length is of the hop.
    const fields = Object.entries(headers)
      .filter(([name]) => name !== 'transfer-encoding')
      .sort();
    const told = JSON.stringify({
      method,
      target,
      fields,
      trailers,
      body: Buffer.concat(chunks).toString('latin1'),
    });
    const status = Number(/\/status\/(\d+)/.exec(target)?.[1] ?? 200);
    response.setHeader('x-empty', '');
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.setHeader('x-many', ['one', 'two']);
    if (!target.includes('chunked')) response.setHeader('content-length', Buffer.byteLength(told));
    response.writeHead(status);
    response.end(status === 204 || status === 304 ? undefined : told);
  });
}

interface Heard {
  readonly status: string;
  readonly fields: readonly string[];
  readonly body: string;
}

async function ask(version: string, path: string, args: readonly string[]): Promise<Heard> {
  const { stdout, stderr, exitCode } = await curl(platform, [
    version,
    '-i',
    '-A',
    'test',
    ...args,
    `${url}${path}`,
  ]);
  assert.equal(exitCode, 0, stderr);
  const at = stdout.lastIndexOf('\r\n\r\n', stdout.indexOf('{') === -1 ? undefined : stdout.indexOf('{'));
  const [status = '', ...lines] = stdout.slice(stdout.lastIndexOf('HTTP/', at), at).split('\r\n');
  const said = status.startsWith('HTTP/2') ? '--http2' : '--http1.1';
  assert.equal(said, version, `${version} was asked for`);
  const fields = lines
    .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
    .filter((line) => !/^(?:date|connection|keep-alive|transfer-encoding):/.test(line))
    .sort();
  return { status: status.split(' ')[1] ?? '', fields, body: stdout.slice(at + 4) };
}

for (const [what, path, args] of [
  ['a plain request', '/', []],
  ['a query, and what looks like dots', '/a/../b%2e%2e/?q=%20&r=+', ['--path-as-is']],
  [
    'cookies, empty fields and many of one name',
    '/',
    ['-b', 'a=1; b=2', '-H', 'X-None;', '-H', 'X-Two: 1', '-H', 'X-Two: 2'],
  ],
  [
    'what a visitor says of itself',
    '/',
    [
      '-H',
      'X-Forwarded-For: 1.2.3.4',
      '-H',
      'X-Real-IP: 1.2.3.4',
      '-H',
      'Forwarded: for=1.2.3.4',
      '-H',
      'Underpass-Auth-User-Id: root',
    ],
  ],
  ['trailers that are wanted', '/', ['-H', 'TE: trailers', '-H', 'Connection: TE']],
  ['a body with a length', '/', ['--data-binary', 'some=thing']],
  [
    'a body without one',
    '/',
    [
      '-X',
      'PUT',
      '-H',
      'Content-Length:',
      '-H',
      'Transfer-Encoding: chunked',
      '--data-binary',
      'x'.repeat(100_000),
    ],
  ],
  [
    'a body that waits to be asked for',
    '/',
    ['-H', 'Expect: 100-continue', '--data-binary', 'y'.repeat(100_000)],
  ],
  ['an empty body', '/', ['-X', 'POST', '-d', '']],
  ['HEAD', '/', ['-I']],
  ['OPTIONS', '/', ['-X', 'OPTIONS']],
  ['a method that nobody knows', '/', ['-X', 'BREW']],
  ['an answer in chunks', '/chunked', []],
  ['an answer without a body', '/status/204', []],
  ['one that was not modified', '/status/304', []],
  ['an error', '/status/500', []],
  ['what is not there', '/status/404', []],
  ['a name that nobody has', '/', ['-H', 'Host: other.underpass.localhost']],
] as const) {
  test(`${what}: over HTTP/2 as over HTTP/1.1`, { skip: curlMissing }, async () => {
    const [one, two] = await Promise.all([ask('--http1.1', path, args), ask('--http2', path, args)]);
    assert.deepEqual(two, one);
  });
}

test('fields of more than 16 KB get 431 over HTTP/2, unless the operator allows more', {
  skip: curlMissing,
}, async () => {
  const serve = async (at: Platform) => {
    const { json } = await at.api('POST', '/backends/http_response', { body: 'ok' });
    await httpsEdge(at, 'heads', json.id);
  };
  const status = async (at: Platform, version: string) => {
    const format = ['-o', '/dev/null', '-w', '%{http_code}', '-H', `X-Long: ${'y'.repeat(20_000)}`];
    return (await curl(at, [version, ...format, `https://heads.underpass.localhost:${at.port}/`])).stdout;
  };
  await serve(platform);
  assert.equal(await status(platform, '--http2'), '431');
  assert.equal(await status(platform, '--http1.1'), '200');
  const roomy = await Platform.start({ args: ['--request-head-bytes', '32768'] });
  try {
    await serve(roomy);
    assert.equal(await status(roomy, '--http2'), '200');
  } finally {
    await roomy.stop();
  }
});
