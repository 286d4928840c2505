import assert from 'node:assert/strict';
import net, { type AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { responseForms } from '../../../../../test/harness/response-forms.ts';
import { outcomeOf } from '../../../../../test/harness/response-outcome.ts';
import {
  ReverseProxy,
  reverseProxies,
  reverseProxyMissing,
} from '../../../../../test/harness/reverse-proxies.ts';

const MORE_TRIES = 5;
/** Outcomes of HAProxy that depend on how the bytes come. */
const VARIES: ReadonlySet<string> = new Set(['a trailer with a space before its colon']);

/** Responds to `/N` with the form of that number. */
async function startOrigin(t: TestContext): Promise<number> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', (head) => {
      const form = responseForms[Number(/ \/([0-9]+) /.exec(head.toString())?.[1])];
      if (form === undefined) return;
      socket.write(Buffer.from(form.bytes, 'latin1'));
      if (form.closes) socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Resolves once the response is whole or the connection ends. */
function visit(port: number, index: number): Promise<string> {
  return new Promise((resolve) => {
    let all = '';
    const socket = net.connect(port, '127.0.0.1', () =>
      socket.write(`GET /${index} HTTP/1.1\r\nHost: x\r\n\r\n`),
    );
    const done = () => {
      socket.destroy();
      resolve(outcomeOf(all));
    };
    socket.setTimeout(20_000, done);
    socket.on('error', done);
    socket.on('close', done);
    socket.setEncoding('latin1').on('data', (text: string) => {
      all += text;
      const isFramed = /transfer-encoding: chunked|content-length|^HTTP.1.1 (?:204|304)/i.test(all);
      const outcome = outcomeOf(all);
      if (isFramed && outcome !== 'cut' && !outcome.startsWith('1')) done();
    });
  });
}

for (const name of reverseProxies) {
  test(`the outcomes of ${name} are those of the table`, { skip: reverseProxyMissing(name) }, async (t) => {
    const proxy = await ReverseProxy.start(name, await startOrigin(t));
    t.after(() => proxy.stop());
    const outcomes = await Promise.all(responseForms.map((_, index) => visit(proxy.port, index)));
    // On a loaded machine a proxy may have timed out, or met the end of a connection before it passed on what came.
    for (let tries = 0; tries < MORE_TRIES; tries += 1)
      for (const [index, form] of responseForms.entries())
        if (outcomes[index] !== form[name]) outcomes[index] = await visit(proxy.port, index);
    const compared = responseForms
      .map((form, index) => ({ form, outcome: outcomes[index] }))
      .filter(({ form }) => name !== 'haproxy' || !VARIES.has(form.name));
    assert.deepEqual(
      compared.map(({ form, outcome }) => `${form.name}: ${outcome}`),
      compared.map(({ form }) => `${form.name}: ${form[name]}`),
    );
  });
}
