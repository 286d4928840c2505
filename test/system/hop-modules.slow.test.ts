/**
 * Modules of agents, and upstreams with HTTP/2, for visitors of another daemon.
 * Invariant: the daemon of the visitor checks what the agent requested at its own.
 */
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttp2Server, type Http2Server } from 'node:http2';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import {
  ClientCertificates,
  Cluster,
  eventually,
  type Identity,
  postgresMissing,
  StatingProvider,
} from '../harness/index.ts';
import { StockAgent } from './stock-agent.fixture.ts';

/** Indices of the daemon of the agents, and of the visitors' daemon. */
const HOME = 0;
const AWAY = 1;

describe('a visitor of another daemon', { skip: postgresMissing }, () => {
  const certificates = new ClientCertificates();
  let cluster: Cluster;
  let agent: StockAgent;
  let provider: StatingProvider;

  before(async () => {
    const identity = certificates.make('localhost', undefined, {
      extensions: ['subjectAltName=DNS:localhost'],
    });
    cluster = await Cluster.start({
      daemons: 2,
      args: () => ['--allow-private', '127.0.0.0/8', '--allow-private', '::1/128'],
      env: () => [`NODE_EXTRA_CA_CERTS=${identity.pemFile}`],
    });
    provider = await StatingProvider.start(identity);
    agent = await StockAgent.connect(cluster.at(HOME), ({ headers }, response) => {
      const { 'underpass-mtls-subject-cn': name, 'underpass-auth-user-email': email } = headers;
      response.end(`hello ${name ?? email ?? 'you'}`);
    });
  });
  after(async () => {
    await agent?.stop();
    await provider?.stop();
    await cluster?.stop();
    certificates.remove();
  });

  const cookiesOf = (headers: Readonly<Record<string, unknown>>): string =>
    [headers['set-cookie'] ?? []]
      .flat()
      .map((cookie) => String(cookie).split(';')[0])
      .join('; ');

  /** Resolves when the visitors' daemon has the tunnel. */
  const known = (url: string) =>
    eventually(async () => {
      const { tunnels } = (await cluster.api(AWAY, 'GET', '/tunnels')).json;
      assert.ok(tunnels.some((one: { public_url: string }) => one.public_url === url));
    });

  /** A GET on a connection of its own, with the certificate of a visitor. */
  async function withCertificate(url: string, own: Identity | null): Promise<string> {
    const { address, ca } = cluster.at(AWAY);
    const { hostname: host, port } = new URL(url);
    const proof = own === null ? {} : { cert: own.pem, key: readFileSync(own.keyFile) };
    const { promise, resolve } = Promise.withResolvers<string>();
    const sent = request(
      { host: address, port, servername: host, headers: { host }, ca, agent: false, ...proof },
      async (response) => {
        const pieces = (await response.toArray()) as readonly Buffer[];
        resolve(`${response.statusCode} ${Buffer.concat(pieces)}`);
      },
    );
    sent.on('error', () => resolve('refused'));
    sent.end();
    return await promise;
  }

  test('needs a certificate of the authority of the agent', async () => {
    const [authority, other] = ['One', 'Other'].map((name) => certificates.authority(name));
    const ca = Buffer.from(authority!.pem).toString('base64');
    const { url } = await agent.bind({ MutualTLSCA: { mutual_tls_ca: ca } }, { Id: 'mutual' });
    await known(url);
    await eventually(async () =>
      assert.equal(await withCertificate(url, certificates.make('ada', authority)), '200 hello ada'),
    );
    assert.equal(await withCertificate(url, null), 'refused');
    assert.equal(await withCertificate(url, certificates.make('ada', other)), 'refused');
  });

  test('needs the signature of a webhook', async () => {
    const secret = 'It is a secret';
    const { url } = await agent.bind(
      { WebhookVerification: { provider: 'GITHUB', secret } },
      { Id: 'webhook' },
    );
    await known(url);
    const body = randomBytes(300_000);
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const send = async (sent: Buffer, headers: Readonly<Record<string, string>>) => {
      const answer = await cluster.visit(AWAY, url, { method: 'POST', headers, body: sent });
      return [answer.status, answer.headers['underpass-error-code'] ?? ''];
    };
    await eventually(async () =>
      assert.deepEqual(await send(body, { 'x-hub-signature-256': signature }), [200, '']),
    );
    const refused = [403, 'ERR_SERVICE_3204'];
    assert.deepEqual(await send(body.subarray(1), { 'x-hub-signature-256': signature }), refused);
    assert.deepEqual(await send(body, {}), refused);
  });

  test('logs in at the provider of the agent, and each step may be at another daemon', async () => {
    const { issuer, clientId: client_id, clientSecret: client_secret } = provider;
    const options = {
      OIDC: { issuer_url: issuer, client_id, client_secret, allow_domains: ['example.com'] },
    };
    const { url } = await agent.bind(options, { Id: 'login' });
    await known(url);
    const html = { accept: 'text/html' };
    for (const [email, status] of [
      ['ada@example.com', 200],
      ['ada@other.example', 403],
    ] as const)
      for (const [first, second] of [
        [AWAY, HOME],
        [HOME, AWAY],
        [AWAY, AWAY],
      ] as const) {
        provider.userinfo = { email, email_verified: true };
        const begun = await eventually(async () => {
          const answer = await cluster.visit(first, url, { headers: html });
          assert.equal(answer.status, 302, answer.text);
          return answer;
        });
        const at = new URL(String(begun.headers.location));
        assert.equal(at.origin, issuer);
        provider.nonce = at.searchParams.get('nonce') ?? '';
        const back = new URL(at.searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('state', at.searchParams.get('state') ?? '');
        back.searchParams.set('code', 'c');
        const headers = { cookie: cookiesOf(begun.headers) };
        const finished = await cluster.visit(second, back.href, { headers });
        if (status === 403) {
          assert.equal(finished.status, 403);
          continue;
        }
        const kept = { cookie: cookiesOf(finished.headers) };
        for (const one of [HOME, AWAY]) {
          const page = await cluster.visit(one, url, { headers: kept });
          assert.deepEqual([page.status, page.text], [200, `hello ${email}`]);
        }
      }
  });

  test('reaches a service that speaks HTTP/2 alone', async () => {
    const service = await startHttp2();
    try {
      const { port } = service.address() as AddressInfo;
      const { url } = await cluster
        .node(HOME)
        .platform.agent(['http', String(port), '--upstream-protocol', 'http2']);
      await known(url);
      const body = Buffer.alloc(300_000, 'x');
      await eventually(async () => {
        const { status, text } = await cluster.visit(AWAY, url, { method: 'POST', body });
        assert.deepEqual([status, text], [200, `HTTP/2.0 ${body.length}`]);
      });
      const many = await Promise.all(Array.from({ length: 20 }, () => cluster.visit(AWAY, url)));
      assert.deepEqual(new Set(many.map(({ text }) => text)), new Set(['HTTP/2.0 0']));
    } finally {
      service.close();
    }
  });

  async function startHttp2(): Promise<Http2Server> {
    const service = createHttp2Server(async (request, response) => {
      let bytes = 0;
      for await (const chunk of request) bytes += chunk.length;
      response.end(`HTTP/${request.httpVersion} ${bytes}`);
    });
    await once(service.listen(0, '127.0.0.1'), 'listening');
    return service;
  }
});
