/**
 * Modules in binds for TCP and TLS.
 * Invariant: modules for requests only are refused, not dropped.
 */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { ClientCertificates, freePorts, type Identity, inTime, Platform } from '../harness/index.ts';
import { StockAgent } from './stock-agent.fixture.ts';

const allowed = { IPRestriction: { allow_cidrs: ['127.0.0.0/8'], deny_cidrs: ['10.0.0.0/8'] } };
const denied = { IPRestriction: { allow_cidrs: ['127.0.0.1/32'], deny_cidrs: ['0.0.0.0/0'] } };

let platform: Platform;
let agent: StockAgent;

before(async () => {
  const [port] = await freePorts(1);
  platform = await Platform.start({ args: ['--tcp-ports', `${port}-${port}`] });
  agent = await StockAgent.connect(platform, (_request, response) => response.end());
  agent.echoes = true;
});
after(async () => {
  await agent.stop();
  await platform.stop();
});

/** Returns the response to a few bytes; '' if the connection is ended instead. */
async function echoOf(socket: Socket): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  // A reset is an end, too.
  socket.on('error', () => {});
  socket.on('data', (bytes: Buffer) => resolve(String(bytes)));
  socket.on('close', () => resolve(''));
  socket.write('ping');
  const heard = await inTime(promise, () => 'an echo, or the end');
  socket.destroy();
  return heard;
}

async function visitTls(url: string, identity?: Identity): Promise<string> {
  const { hostname: servername } = new URL(url);
  const { port, ca } = platform;
  const own = identity === undefined ? {} : { cert: identity.pem, key: identity.key };
  return await echoOf(connectTls({ host: '127.0.0.1', port, servername, ca, ...own }));
}

test('addresses that are denied get the end of the connection, on TCP and on TLS', async () => {
  for (const [options, heard] of [
    [allowed, 'ping'],
    [denied, ''],
  ] as const) {
    const tcp = await agent.bind({ URL: 'tcp://', ...options }, { Id: 'tcp', Proto: 'tcp' });
    const port = Number(new URL(tcp.url).port);
    assert.equal(await echoOf(connect({ host: '127.0.0.1', port })), heard);
    await agent.unbind('tcp');
    const tls = await agent.bind({ TLSTermination: {}, ...options }, { Proto: 'tls' });
    assert.equal(await visitTls(tls.url), heard);
  }
});

test('visitors of TLS that ends at the edge are asked for certificates of the authorities that the agent named', async (t) => {
  const made = new ClientCertificates();
  t.after(() => made.remove());
  const authority = made.authority('One');
  const mutual_tls_ca = Buffer.from(authority.pem).toString('base64');
  const options = { TLSTermination: {}, MutualTLSAtAgent: false, MutualTLSAtEdge: { mutual_tls_ca } };
  const { url } = await agent.bind(options, { Proto: 'tls' });
  assert.equal(await visitTls(url, made.make('ada', authority)), 'ping');
  assert.equal(await visitTls(url, made.make('eve', made.authority('Other'))), '');
  assert.equal(await visitTls(url), '');
});

test('modules that are for requests are refused by their names', async () => {
  for (const [Proto, options] of [
    ['tcp', { BasicAuth: { credentials: [{ username: 'u', cleartext_password: 'password' }] } }],
    ['tcp', { Compression: {} }],
    ['tls', { WebhookVerification: { provider: 'github', secret: 's' } }],
    ['tls', { Auth: 'user:password' }],
  ] as const) {
    const refusal = await agent.refusal(options, { Proto });
    const [name] = Object.keys(options);
    assert.match(
      refusal,
      new RegExp(
        `^${name} is not for tunnels of the protocol ${Proto}, only for http, https\\..*60705$`,
        's',
      ),
    );
  }
});
