/** Independent programs test our HTTP/2: load without failures, and a suite of the RFCs' requirements. */
import assert from 'node:assert/strict';
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import {
  h2load,
  h2loadMissing,
  h2spec,
  h2specMissing,
  Platform,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';

const SMALL = 'hello';
const LARGE = Buffer.alloc(300_000, 'x');

let platform: Platform;
let upstream: Upstream;
let http2Upstream: Http2Server;
/** URLs of the two tunnels. */
const urls: string[] = [];

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream((request, response) => {
    request.resume();
    request.on('end', () => response.end(request.url === '/large' ? LARGE : SMALL));
  });
  http2Upstream = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end(request.url === '/large' ? LARGE : SMALL));
  });
  await new Promise<void>((done) => http2Upstream.listen(0, '127.0.0.1', done));
  const { port } = http2Upstream.address() as AddressInfo;
  urls.push((await platform.agent(['http', String(upstream.port), '--quiet'])).url);
  urls.push((await platform.agent(['http', `127.0.0.1:${port}`, '--upstream-protocol', 'http2'])).url);
});
after(async () => {
  await platform.stop();
  await upstream.stop();
  http2Upstream.close();
});

for (const [what, path, args] of [
  ['small answers', '/', ['-n', '3000', '-c', '10', '-m', '20']],
  ['large answers', '/large', ['-n', '200', '-c', '4', '-m', '10']],
  ['large answers over small windows', '/large', ['-n', '40', '-c', '4', '-m', '5', '-w', '12', '-W', '14']],
  ['requests with bodies', '/', ['-n', '500', '-c', '5', '-m', '10', '-d', import.meta.filename]],
] as const) {
  for (const [at, service] of ['HTTP/1.1', 'HTTP/2'].entries()) {
    test(`${what}, from a service of ${service}: none fails`, { skip: h2loadMissing }, async () => {
      const said = await h2load(platform, `${urls[at]}${path}`, args);
      const count = args[1];
      assert.match(
        said,
        new RegExp(`${count} done, ${count} succeeded, 0 failed, 0 errored, 0 timeout`),
        said,
      );
      assert.match(said, new RegExp(`status codes: ${count} 2xx`), said);
    });
  }
}

test('h2spec finds nothing that an RFC forbids', { skip: h2specMissing }, async () => {
  const said = await h2spec(platform, new URL(urls[0]!).hostname);
  assert.match(said, /tests, \d+ passed, \d+ skipped, 0 failed/, said);
});
