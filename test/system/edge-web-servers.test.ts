/**
 * nginx and Caddy behind an HTTPS edge, with curl as a visitor.
 * Invariant: a message has the same meaning on both sides of the edge.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import {
  curl,
  curlMissing,
  Platform,
  startUpstream,
  type Upstream,
  WebServer,
  webServerMissing,
  webServers,
} from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

const FILE = 'a file\n'.repeat(20_000);

let platform: Platform;
/** Upstream of the web servers. */
let origin: Upstream;

before(async () => {
  platform = await Platform.shared({ args: ['--allow-private', '127.0.0.0/8'] });
  origin = await startUpstream((request, response) => {
    if (request.url === '/hints') response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.setHeader('x-method', String(request.method));
    response.write('one ');
    request.pipe(response);
  });
  origin.server.on('upgrade', (_request, socket) => {
    socket.on('error', () => {});
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nwelcome');
    socket.pipe(socket);
  });
});
after(async () => {
  await platform.stop();
  await origin.stop();
});

for (const name of webServers) {
  describe(name, { skip: webServerMissing(name) || curlMissing }, () => {
    const host = `${name}.underpass.localhost`;
    const url = (path: string): string => `https://${host}:${platform.port}${path}`;
    const visit = async (path: string, ...args: readonly string[]): Promise<string> => {
      const { exitCode, stdout, stderr } = await curl(platform, ['--http1.1', ...args, url(path)]);
      assert.equal(exitCode, 0, stderr);
      return stdout;
    };
    let server: WebServer;

    before(async () => {
      server = await WebServer.start(name, FILE, origin.port);
      const address = `127.0.0.1:${server.port}`;
      const { json } = await platform.api('POST', '/backends/static', { address });
      await httpsEdge(platform, name, json.id);
    });
    after(() => server?.stop());

    test('the connection to it is kept from visitor to visitor', async () => {
      const format = ['--write-out', '%header{x-connection}', '--output', '/dev/null'];
      const first = await visit('/file.txt', ...format);
      assert.match(first, /^\d+$/);
      for (const path of ['/file.txt', '/other', '/file.txt'])
        assert.equal(await visit(path, ...format), first);
      assert.equal(await visit('/file.txt', '--head', ...format), first);
    });

    test('a file comes whole, in part, as a head, and not at all when it is known', async () => {
      assert.equal(await visit('/file.txt'), FILE);
      const part = await visit('/file.txt', '--range', '7-13', '--include');
      assert.match(part, /^HTTP\/1\.1 206 [\s\S]*\r\n\r\na file\n$/);
      const head = await visit('/file.txt', '--head');
      assert.match(head, /^HTTP\/1\.1 200 /);
      assert.match(head, new RegExp(`^content-length: ${FILE.length}\r$`, 'im'));
      const [, etag = ''] = /^etag: *(.*)\r$/im.exec(head) ?? [];
      const known = await visit('/file.txt', '--include', '--header', `If-None-Match: ${etag}`);
      assert.match(known, /^HTTP\/1\.1 304 /);
      assert.match(known, /\r\n\r\n$/);
    });

    test('a body in chunks comes back in chunks, after the 100 that its sender waits for', async () => {
      const body = 'two '.repeat(25_000);
      const sent = [
        '--include',
        '--header',
        'Transfer-Encoding: chunked',
        '--header',
        'Expect: 100-continue',
      ];
      const answer = await visit('/echo', ...sent, '--data-binary', body);
      assert.match(answer, /^HTTP\/1\.1 100 [\s\S]*\r\n\r\nHTTP\/1\.1 200 /);
      assert.match(answer, /^transfer-encoding: chunked\r$/im);
      assert.ok(answer.endsWith(`\r\n\r\none ${body}`));
    });

    test('methods go on as they are, an empty answer to HEAD, too', async () => {
      assert.match(await visit('/any', '--head'), /^x-method: HEAD\r$/im);
      assert.match(await visit('/any', '--include', '--request', 'DELETE'), /^x-method: DELETE\r$/im);
    });

    test('an upgraded connection carries bytes both ways', async () => {
      const socket = await platform.client.tls(host);
      socket.write(`GET /up HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`);
      let text = '';
      const hear = async (end: string): Promise<void> => {
        while (!text.endsWith(end)) text += String((await once(socket, 'data'))[0]);
      };
      await hear('welcome');
      assert.match(text, /^HTTP\/1\.1 101 /);
      socket.write('hello');
      await hear('hello');
      socket.destroy();
    });

    // nginx passes none on.
    if (name === 'caddy')
      test('Early Hints reach the visitor before the answer', async () => {
        const [hints = '', answer = ''] = (await visit('/hints', '--include')).split('\r\n\r\n');
        assert.match(hints, /^HTTP\/1\.1 103 [\s\S]*^link: <\/style\.css>; rel=preload$/im);
        assert.match(answer, /^HTTP\/1\.1 200 /);
      });
  });
}
