/** Unread responses and endless bodies, as many as one connection or many can begin: they cost a bounded amount of memory. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Platform, Visitor } from '../harness/index.ts';
import { Resident, residentMissing } from '../harness/resident.ts';
import { fixedEdge } from './attacks.fixture.ts';

/** MB that any of these may cost; each would cost several times that if unread or unfinished data were kept. */
const BOUND = 224;
const NAME = 'api.underpass.localhost';
const MIB = 1024 * 1024;
const skip = residentMissing;

/** A daemon that is new, and so is its memory. */
async function start(t: TestContext): Promise<Attacked> {
  const platform = await Platform.start();
  t.after(() => platform.stop());
  return new Attacked(platform);
}

class Attacked {
  readonly platform: Platform;
  /** The headers of a request with a key. */
  readonly keyed: string;

  constructor(platform: Platform) {
    this.platform = platform;
    this.keyed = `Authorization: Bearer ${platform.bootstrap.api_key}\r\nService-Version: 2\r\n`;
  }

  /** Every 200 of them come from an address of their own, which is fewer than that may have. */
  async connection(index = 0): Promise<Socket> {
    return (await this.visitor(`127.0.1.${1 + Math.floor(index / 200)}`)).socket;
  }

  visitor(from: string): Promise<Visitor> {
    const { port, ca } = this.platform;
    return Visitor.connect({ port, ca, servername: NAME, from });
  }

  async admin(): Promise<Socket> {
    const socket = connect(this.platform.adminPort, '127.0.0.1');
    await once(socket, 'connect');
    return socket.on('error', () => {});
  }

  /** Opens connections, sends the bytes on each and reads nothing. Returns the MB by which the daemon grew at its peak. */
  async cost(count: number, bytes: string, open = (i: number) => this.connection(i)): Promise<number> {
    const sockets: Socket[] = [];
    try {
      const resident = new Resident(this.platform.daemon.pid);
      await resident.start();
      for (let i = 0; i < count; i++) {
        const socket = await open(i);
        sockets.push(socket.pause());
        socket.write(bytes);
      }
      await resident.rest();
      const reader = await this.visitor('127.0.0.2');
      assert.equal((await reader.get({ 'service-version': '2' })).status, 401, 'who reads is served');
      reader.close();
      return resident.grown;
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  }
}

function request(path: string, headers = '', method = 'GET'): string {
  return `${method} ${path} HTTP/1.1\r\nHost: ${NAME}\r\n${headers}\r\n`;
}

/** The public file that most bytes are sent for: of the reference page, or the document behind it. */
async function largestFile({ platform }: Attacked): Promise<string> {
  const visit = (path: string) => platform.visit(`https://${NAME}:${platform.port}${path}`);
  const { text } = await visit('/docs');
  const linked = Array.from(text.matchAll(/(?:src|href)="([^"]+)"/g), ([, link]) => link ?? '');
  const links = [...linked, '/openapi.json'];
  const files = await Promise.all(
    links.map(async (link) => ({ link, size: (await visit(link)).text.length })),
  );
  const [largest] = files.sort((a, b) => b.size - a.size);
  assert.ok(largest !== undefined && largest.size > 100_000);
  return largest.link;
}

test('a thousand requests for the largest public file, on one connection', { skip }, async (t) => {
  const attacked = await start(t);
  const grown = await attacked.cost(1, request(await largestFile(attacked)).repeat(1000));
  assert.ok(grown < BOUND, `${grown} MB`);
});

test('a thousand requests for the largest public file, on each of more connections than a source may have', {
  skip,
}, async (t) => {
  const attacked = await start(t);
  const bytes = request(await largestFile(attacked)).repeat(1000);
  const grown = await attacked.cost(300, bytes, () => attacked.connection());
  assert.ok(grown < BOUND, `${grown} MB`);
});

for (const connections of [1, 60]) {
  test(`120 lists of 6 MB with a key, over connections: ${connections}`, { skip }, async (t) => {
    const attacked = await start(t);
    const body = 'x'.repeat(60_000);
    for (let i = 0; i < 100; i++) await attacked.platform.api('POST', '/backends/http_response', { body });
    const list = request('/backends/http_response', attacked.keyed);
    const grown = await attacked.cost(connections, list.repeat(120 / connections));
    assert.ok(grown < BOUND, `${grown} MB`);
  });
}

test('bodies of a MiB of which the last byte is missing', { skip }, async (t) => {
  const attacked = await start(t);
  const headers = `${attacked.keyed}Content-Type: application/json\r\nContent-Length: ${MIB}\r\n`;
  const bytes = `${request('/ip_policies', headers, 'POST')}${' '.repeat(MIB - 1)}`;
  const grown = await attacked.cost(400, bytes);
  assert.ok(grown < BOUND, `${grown} MB`);
});

test('thousands of requests for the metrics on the admin listener', { skip }, async (t) => {
  const attacked = await start(t);
  const bytes = request('/metrics').replace(NAME, 'localhost').repeat(5000);
  const grown = await attacked.cost(4, bytes, () => attacked.admin());
  assert.ok(grown < BOUND, `${grown} MB`);
});

test('a thousand requests for the fixed response of an edge, on each of many connections', {
  skip,
}, async (t) => {
  const attacked = await start(t);
  const { platform } = attacked;
  await fixedEdge(platform, 'unread', 'x'.repeat(60_000));
  const servername = 'unread.underpass.localhost';
  const bytes = request('/').replace(NAME, servername).repeat(1000);
  const open = async () =>
    (await Visitor.connect({ port: platform.port, ca: platform.ca, servername })).socket;
  const grown = await attacked.cost(100, bytes, open);
  assert.ok(grown < BOUND, `${grown} MB`);
});

test('who reads gets all answers of a pipeline, in order, also after the last request was the last word', async (t) => {
  const attacked = await start(t);
  const count = 500;
  const socket = await attacked.connection();
  const requests = Array.from({ length: count }, (_, i) =>
    request(`/ip_policies?limit=${i + 1}`, attacked.keyed),
  );
  socket.end(requests.join(''));
  let text = '';
  for await (const chunk of socket) text += chunk;
  const statuses = text.split(/(?=HTTP\/1\.1 )/).map((answer) => answer.slice(9, 12));
  assert.deepEqual(statuses, [...Array(100).fill('200'), ...Array(count - 100).fill('400')]);
});
