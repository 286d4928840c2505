import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { until } from '../../../../test/harness/until.ts';
import type { ConnectionFault, Request } from './request.ts';
import { HttpServer } from './server.ts';

const timeouts = { head: 15_000, request: 15_000, keepAlive: 15_000, silence: 15_000 };

interface Served {
  readonly http: HttpServer;
  /** Reports of invalid requests. */
  readonly faults: ConnectionFault[];
  open(): Promise<Socket>;
}

/** A server on a free port. Ends with the test. */
async function serve(t: TestContext, onRequest: (request: Request) => void): Promise<Served> {
  const faults: ConnectionFault[] = [];
  const http = new HttpServer(
    { perSource: 1000, total: 1000 },
    {
      timeouts,
      headLimit: 16_384,
      onRequest,
      onFault(sender, fault) {
        faults.push(fault);
        sender.refuse({ status: 400, headers: [], body: fault });
      },
      crashed: assert.ifError,
    },
  );
  const listener = createServer((socket) => http.serve(socket)).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  t.after(async () => {
    listener.close();
    await http.close(0);
  });
  return {
    http,
    faults,
    open: async () => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
      await once(socket, 'connect');
      t.after(() => socket.destroy());
      return socket;
    },
  };
}

function answer(request: Request, body: string | Buffer): void {
  request.answer({ status: 200, headers: [], body });
}

/** Answers the size of its body. */
function count(request: Request, answered: (size: number) => void): void {
  let size = 0;
  if (!request.hasBody) {
    answered(0);
    return;
  }
  request.readBody({
    data(bytes) {
      size += bytes.length;
    },
    end: () => answered(size),
    fail: (fault) => assert.fail(`${fault}`),
  });
}

async function received(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

/** Bytes of a request, and how long its body is. */
const requests = fc.oneof(
  fc.record({ method: fc.constantFrom('GET', 'DELETE'), body: fc.constant(null) }),
  fc.record({
    method: fc.constantFrom('POST', 'GET'),
    body: fc.oneof(fc.constantFrom('', '\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n'), fc.string({ maxLength: 40 })),
    chunked: fc.boolean(),
    trailer: fc.boolean(),
    early: fc.boolean(),
  }),
);
type Sample = typeof requests extends fc.Arbitrary<infer Value> ? Value : never;

function bytesOf(sample: Sample, path: string): string {
  const head = `${sample.method} ${path} HTTP/1.1\r\nhost: x\r\n`;
  if (sample.body === null) return `${head}\r\n`;
  if (!sample.chunked)
    return `${head}content-length: ${Buffer.byteLength(sample.body)}\r\n\r\n${sample.body}`;
  const size = Buffer.byteLength(sample.body);
  const chunk = size === 0 ? '' : `${size.toString(16)};ext=1\r\n${sample.body}\r\n`;
  return `${head}transfer-encoding: chunked\r\n\r\n${chunk}0\r\n${sample.trailer ? 'x-after: y\r\n' : ''}\r\n`;
}

test('whatever is sent at once, in whatever pieces, one request is under way at a time and all are answered in order', async (t) => {
  let open = 0;
  let most = 0;
  const { open: connected } = await serve(t, (request) => {
    open += 1;
    most = Math.max(most, open);
    request.onceOver(() => {
      open -= 1;
    });
    // Some answers are out before the body has come.
    if (request.target.endsWith('early')) answer(request, `${request.target} |`);
    else count(request, (size) => void setImmediate(() => answer(request, `${request.target} ${size}|`)));
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(requests, { minLength: 1, maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
      fc.boolean(),
      async (samples, cuts, padded) => {
        const paths = samples.map((sample, i) =>
          sample.body !== null && sample.early ? `/${i}/early` : `/${i}`,
        );
        const bytes = samples.map((sample, i) => bytesOf(sample, paths[i]!));
        let rest = `${padded ? '\r\n' : ''}${bytes.join('')}`;
        const socket = await connected();
        for (const cut of cuts) {
          socket.write(rest.slice(0, cut));
          rest = rest.slice(cut);
          await new Promise(setImmediate);
        }
        socket.end(rest);
        const text = await received(socket);
        const expected = samples.map((sample, i) =>
          paths[i]!.endsWith('early')
            ? `${paths[i]} `
            : `${paths[i]} ${Buffer.byteLength(sample.body ?? '')}`,
        );
        assert.deepEqual(
          Array.from(text.matchAll(/(\/\S* \d*)\|/g), ([, answer]) => answer),
          expected,
        );
        assert.equal(most, 1);
      },
    ),
    { numRuns: 200 },
  );
});

test('while an answer is not read, what was sent behind it is not even parsed', async (t) => {
  const seen: string[] = [];
  const large = Buffer.alloc(64 * 1024 * 1024);
  const { open } = await serve(t, (request) => {
    seen.push(request.target);
    answer(request, request.target === '/large' ? large : 'small');
  });
  const socket = await open();
  socket.pause();
  socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\nGET /next HTTP/1.1\r\nhost: x\r\n\r\n');
  await until(() => seen.length > 0);
  const other = await open();
  other.end('GET /other HTTP/1.1\r\nhost: x\r\n\r\n');
  await received(other);
  assert.deepEqual(seen, ['/large', '/other']);
  let size = 0;
  for await (const chunk of socket) {
    size += chunk.length;
    if (size > large.length && seen.length === 3) break;
  }
  assert.deepEqual(seen, ['/large', '/other', '/next']);
});

test('a client that resets its connection while its answer is made is forgotten', async (t) => {
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const { open } = await serve(t, (request) => {
    request.onceOver(() => over.resolve());
    begun.resolve();
  });
  const socket = await open();
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await begun.promise;
  socket.resetAndDestroy();
  await over.promise;
});
