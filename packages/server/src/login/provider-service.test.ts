import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../../test/harness/until.ts';
import type { Answer } from '../http-server/answer.ts';
import { LoginFault } from './login-fault.ts';
import { text } from './provider-answers.ts';
import { ProviderService } from './provider-service.ts';
import { mostForm, type Visit } from './visit.ts';

/** Starts a service with one endpoint, `/here`. `from` returns the address of the visitors. */
async function start(t: TestContext, answer: (visit: Visit) => Answer | Promise<Answer>) {
  const logged: Record<string, unknown>[] = [];
  const clock = { now: 0 };
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const service = new ProviderService({
    endpoints: [{ serves: (path) => path === '/here', answer }],
    ...{ errorPrefix: 'ERR_', codeHeader: 'Error-Code', log },
    now: () => clock.now,
  });
  t.after(() => service.close(0));
  const from = async (source: string): Promise<string> => {
    const server = createServer((socket) => service.serve(socket, { clientAddr: `${source}:1` })).listen(
      0,
      '127.0.0.1',
    );
    t.after(() => server.close());
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/here`;
  };
  const code = async (url: string, init: RequestInit = {}) => {
    const answered = await fetch(url, init);
    return `${answered.status} ${answered.headers.get('error-code')} ${(await answered.text()).length > 0}`;
  };
  return { logged, clock, from, code };
}

const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

test('a form is read whole, and one that is none, or too large, is refused', async (t) => {
  const { from, code, logged } = await start(t, async (visit) =>
    text(200, (await visit.form()).get('a') ?? ''),
  );
  const url = await from('192.0.2.1');
  const large = 'x'.repeat(mostForm - 2);
  const answered = await fetch(url, { method: 'POST', headers: form, body: `a=${large}` });
  assert.equal((await answered.text()).length, large.length);
  async function* pieces(bytes: number) {
    for (let sent = 0; sent < bytes; sent += 1024) yield new Uint8Array(1024).fill(0x61);
  }
  const inPieces = { method: 'POST', headers: form, duplex: 'half' };
  assert.equal(await code(url, { ...inPieces, body: pieces(mostForm) } as RequestInit), '200 null false');
  assert.equal(
    await code(url, { ...inPieces, body: pieces(mostForm + 1024) } as RequestInit),
    '413 ERR_60724 true',
  );
  assert.equal(await code(url, { method: 'POST', headers: form, body: `a=${large}x` }), '413 ERR_60724 true');
  assert.equal(await code(url, { method: 'POST', body: 'a=b' }), '400 ERR_60723 true');
  assert.equal(await code(url), '400 ERR_60723 true');
  assert.deepEqual(
    logged.map(({ check }) => check),
    ['size', 'size', 'form', 'form'],
  );
  assert.equal((await fetch(url.replace('here', 'there'))).status, 404);
});

test('one source comes so often and no more, less often with what comes to nothing, and the others as before', async (t) => {
  let fault: LoginFault | null = null;
  const { from, code, clock } = await start(t, () => {
    if (fault !== null) throw fault;
    return text(200, 'in');
  });
  const comes = async (url: string, times: number) => {
    const codes = new Set<string>();
    for (let visits = 0; visits < times; visits += 1) codes.add(await code(url));
    return [...codes];
  };
  const url = await from('192.0.2.1');
  assert.deepEqual(await comes(url, 200), ['200 null true']);
  assert.equal(await code(url), '429 ERR_60696 true');
  const other = await from('192.0.2.2');
  fault = new LoginFault('loginRefused', 'signature', 'nobody has made it');
  assert.deepEqual(await comes(other, 60), ['403 ERR_60692 true']);
  assert.equal(await code(other), '429 ERR_60696 true');
  fault = null;
  clock.now = 200;
  assert.equal(await code(url), '200 null true');
  assert.equal(await code(other), '429 ERR_60696 true');
  clock.now = 2_000;
  assert.equal(await code(other), '200 null true');
});

test('of one source so many are answered at once and no more', async (t) => {
  const waiting: (() => void)[] = [];
  const { from, code } = await start(
    t,
    () => new Promise((resolve) => waiting.push(() => resolve(text(200, 'in')))),
  );
  const url = await from('192.0.2.1');
  const codes: string[] = [];
  const asked = Array.from({ length: 17 }, async () => {
    codes.push(await code(url));
    if (codes.length === 1) for (const answer of waiting) answer();
  });
  await Promise.all(asked);
  assert.equal(codes[0], '429 ERR_60696 true');
  assert.deepEqual([...new Set(codes.slice(1))], ['200 null true']);
  assert.equal(waiting.length, 16);
});

test('slow forms of many sources keep no other source out: one of them is given up', async (t) => {
  let begun = 0;
  const { from, code, logged } = await start(t, async (visit) => {
    begun += 1;
    return text(200, (await visit.form()).get('a') ?? '');
  });
  const head = `POST /here HTTP/1.1\r\nHost: a\r\nContent-Type: ${form['content-type']}\r\nContent-Length: 4\r\n\r\n`;
  const slow: Socket[] = [];
  for (let source = 1; source <= 8; source += 1) {
    const { port } = new URL(await from(`192.0.2.${source}`));
    for (let forms = 0; forms < 16; forms += 1) {
      const socket = connect(Number(port), '127.0.0.1');
      t.after(() => socket.destroy());
      socket.write(`${head}a=`);
      slow.push(socket);
    }
    await until(() => begun === source * 16);
  }
  const given = { method: 'POST', headers: form, body: 'a=b' };
  assert.equal(await code(await from('192.0.2.9'), given), '200 null true');
  const answerOf = async (socket: Socket) => {
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return { socket, status: answer.toString().split(' ')[1] };
  };
  const ofFirst = slow.slice(0, 16);
  const refused = await Promise.race(ofFirst.map(answerOf));
  assert.equal(refused.status, '429');
  assert.deepEqual(
    logged.map(({ check, client }) => [check, client]),
    [['rate', '192.0.2.1']],
  );
  const other = ofFirst.find((socket) => socket !== refused.socket)!;
  other.write('c&');
  assert.equal((await answerOf(other)).status, '200');
});

/**
 * Fills all places with slow logins. The oldest one is closed for another source, and the others continue. Returns a
 * further visit of the source of the oldest one.
 */
async function crowded(t: TestContext, later: () => Answer) {
  let isSlow = true;
  let begun = 0;
  const { from, code } = await start(t, async (visit) => {
    begun += 1;
    if (!isSlow) return later();
    await visit.form();
    return text(200, 'in');
  });
  const head = `POST /here HTTP/1.1\r\nHost: a\r\nContent-Type: ${form['content-type']}\r\nContent-Length: 4\r\n\r\n`;
  const first = await from('192.0.2.1');
  const slow: Socket[] = [];
  let answered = 0;
  for (let source = 1; source <= 8; source += 1) {
    const { port } = new URL(source === 1 ? first : await from(`192.0.2.${source}`));
    for (let forms = 0; forms < 16; forms += 1) {
      const socket = connect(Number(port), '127.0.0.1');
      t.after(() => socket.destroy());
      socket.once('data', () => {
        answered += 1;
      });
      socket.write(head);
      slow.push(socket);
    }
    await until(() => begun === source * 16);
  }
  assert.equal(
    await code(await from('192.0.2.9'), { method: 'POST', headers: form, body: 'a=b' }),
    '200 null true',
  );
  await until(() => answered === 1);
  for (const socket of slow) socket.write('a=bc');
  await until(() => answered === slow.length);
  isSlow = false;
  return async () => await code(first);
}

test('a login that gives way to others counts as none of its source', async (t) => {
  const again = await crowded(t, () => {
    throw new LoginFault('loginRefused', 'signature', 'nobody has made it');
  });
  const codes: string[] = [];
  for (let visits = 0; visits < 60; visits += 1) codes.push(await again());
  assert.deepEqual([...new Set(codes)], ['403 ERR_60692 true']);
  assert.equal(await again(), '429 ERR_60696 true');
});

test('a login that gives way to others gives its turn back', async (t) => {
  const again = await crowded(t, () => text(200, 'in'));
  // 16 have come, of which 15 were let in.
  const codes: string[] = [];
  for (let visits = 0; visits < 185; visits += 1) codes.push(await again());
  assert.deepEqual([...new Set(codes)], ['200 null true']);
  assert.equal(await again(), '429 ERR_60696 true');
});

test('a fault of the service is reported to both, and one of the visitor is not called that', async (t) => {
  const failures: unknown[] = [
    new Error('disk'),
    new LoginFault('loginRefused', 'audience', 'for somebody else'),
  ];
  const { from, logged } = await start(t, () => {
    throw failures.shift();
  });
  const url = await from('192.0.2.1');
  const pages = [await (await fetch(url)).text(), await (await fetch(url)).text()];
  const [failed, refused] = logged;
  assert.equal(failed?.msg, 'a login failed');
  const { msg, check, reason, client, at } = refused ?? {};
  assert.deepEqual(
    { msg, check, reason, client, at },
    {
      msg: 'a login was refused',
      check: 'audience',
      reason: 'for somebody else',
      client: '192.0.2.1',
      at: '/here',
    },
  );
  for (const [index, { request }] of logged.entries()) assert.ok(pages[index]?.includes(String(request)));
  assert.doesNotMatch(pages.join(), /disk|somebody else/);
});
