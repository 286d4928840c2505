/** Paths and queries with raw UTF-8, as scripts, old devices and curl send them, at the tunnel, the redirect and the API. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { curl, curlMissing, Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { rawHttp } from './attacks.fixture.ts';

let platform: Platform;
let upstream: Upstream;
let url: string;
let host: string;

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream((request, response) => response.end(`${request.method} ${request.url}`));
  url = (await platform.agent(['http', String(upstream.port)])).url;
  host = new URL(url).hostname;
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
const request = (name: string, target: string): string =>
  latin1(`GET ${target} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);

for (const [sent, forwarded] of [
  ['/straße', '/stra%C3%9Fe'],
  ['/a?q=ü', '/a?q=%C3%BC'],
] as const) {
  test(`${sent} is forwarded percent-encoded`, async () => {
    const got = await rawHttp(platform, host, request(host, sent));
    assert.match(got, /^HTTP\/1\.1 200 /);
    assert.ok(got.includes(`GET ${forwarded}`), got);
  });

  for (const version of ['--http1.1', '--http2', '--http1.0']) {
    test(`curl ${version} gets the response to ${sent}`, { skip: curlMissing }, async () => {
      const { stdout, stderr } = await curl(platform, [version, `${url}${sent}`]);
      // It encodes a path by itself, in lower case, and no query.
      assert.equal(stdout.toLowerCase(), `get ${forwarded}`.toLowerCase(), stderr);
    });
  }
}

test('a target with a space gets a response over HTTP/2', { skip: curlMissing }, async () => {
  const form = ['--http2', '-o', '/dev/null', '-w', '%{http_version} %{http_code}'];
  const { stdout, stderr } = await curl(platform, [...form, '--request-target', '/a b', `${url}/`]);
  assert.equal(stdout, '2 400', stderr);
});

test('the API reads such a query, and names the parameter', async () => {
  const api = 'api.underpass.localhost';
  const { api_key: key } = platform.bootstrap;
  const fields = `Authorization: Bearer ${key}\r\nService-Version: 2\r\n`;
  const sent = request(api, '/edges/https?ü=1').replace('\r\n', `\r\n${fields}`);
  assert.match(await rawHttp(platform, api, sent), /^HTTP\/1\.1 400 [\s\S]*"error_code":"ERR_SERVICE_231"/);
});
