/** Responses of services behind a real agent: what is taken is passed on, and what is refused is named to the owner only. */
import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { curl, curlMissing, Platform, type RunningAgent } from '../harness/index.ts';

/** Raw responses by path. */
const responses: Readonly<Record<string, string>> = {
  lf: 'HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: 2\nConnection: close\n\nhi',
  both: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
  space: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Bad : 1\r\n\r\nhi',
  name: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nBad Name: 1\r\n\r\nhi',
  chunk: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\nzz\r\n',
};

let platform: Platform;
let service: Server;
let agent: RunningAgent;
const sockets = new Set<Socket>();

before(async () => {
  service = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (head) => {
      const name = /^GET \/(\w+) /.exec(head.toString())?.[1] ?? '';
      const bytes = Buffer.from(responses[name] ?? '', 'latin1');
      // In two pieces, as slow services write.
      socket.write(bytes.subarray(0, 20));
      setImmediate(() => socket.write(bytes.subarray(20)));
    });
  });
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
  platform = await Platform.start({ args: ['--access-log', 'all'] });
  const { port } = service.address() as { port: number };
  agent = await platform.agent(['http', String(port)]);
});
after(async () => {
  await platform.stop();
  for (const socket of sockets) socket.destroy();
  service.close();
});

async function visit(path: string, ...more: readonly string[]): Promise<string> {
  return (await curl(platform, ['-i', ...more, `${agent.url}/${path}`])).stdout;
}

for (const version of ['--http1.1', '--http2']) {
  test(`a response that RFC 9112 lets a recipient take is passed on, over ${version}`, {
    skip: curlMissing,
  }, async () => {
    for (const path of ['lf', 'both', 'space']) {
      const text = await visit(path, version);
      assert.match(text, /^HTTP\/\S+ 200/, path);
      assert.match(text, /\r\n\r\nhi$/, path);
      assert.doesNotMatch(text, /[^\r]\n|X-Bad :/i, path);
    }
  });
}

test('a refused response is named in the access log and by the agent, and not to the visitor', {
  skip: curlMissing,
}, async () => {
  const text = await visit('name', '--http1.1');
  assert.match(text, /^HTTP\/1\.1 502/);
  assert.match(text, /_3004/);
  assert.doesNotMatch(text, /Bad Name/);
  await platform.daemon.line(
    /"path":"\/name","status":502.*"fault":"upstreamResponseInvalid".*"upstream_fault":"a header line whose name is not valid: \\"Bad Name: 1\\""/,
  );
  await agent.process.line(/"path":"\/name".*"status":null.*"fault":".* is not valid: \\"Bad Name: 1\\""/);
});

test('a response that turns invalid within its body is cut, and named likewise', {
  skip: curlMissing,
}, async () => {
  await visit('chunk', '--http1.1');
  await platform.daemon.line(
    /"path":"\/chunk","status":(?:200|502).*"upstream_fault":"a chunk that is not valid: \\"zz\\""/,
  );
  await agent.process.line(/"path":"\/chunk".*"status":200.*"fault":"a chunk that is not valid: \\"zz\\""/);
});
