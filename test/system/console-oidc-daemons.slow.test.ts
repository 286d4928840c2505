/**
 * Sign-in to the console at a provider with two daemons of one database, behind a balancer without stickiness.
 * Invariant: any daemon can finish a sign-in, once. A session that one daemon ends is refused at both.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  type Answer,
  ClientCertificates,
  Cluster,
  EventStream,
  postgresMissing,
  StatingProvider,
} from '../harness/index.ts';
import { ConsoleBrowser } from './console.fixture.ts';

type Index = 0 | 1;

/** A sign-in that the browser brings back from the provider. */
interface Begun {
  readonly query: string;
  readonly cookie: string;
}

const same = { 'sec-fetch-site': 'same-origin' };

describe('the sign-in at a provider with two daemons', { skip: postgresMissing }, () => {
  const certificates = new ClientCertificates();
  const folder = mkdtempSync(join(tmpdir(), 'underpass-console-oidc-'));
  let provider: StatingProvider;
  let cluster: Cluster;

  before(async () => {
    const extensions = ['subjectAltName=DNS:localhost'];
    const identity = certificates.make('localhost', undefined, { extensions });
    provider = await StatingProvider.start(identity);
    const secret = join(folder, 'secret');
    writeFileSync(secret, provider.clientSecret);
    cluster = await Cluster.start({
      daemons: 2,
      env: () => [`NODE_EXTRA_CA_CERTS=${identity.pemFile}`],
      args: () => [
        ...['--dashboard-oidc', provider.issuer, '--dashboard-oidc-client-id', provider.clientId],
        ...['--dashboard-oidc-client-secret-file', secret, '--dashboard-oidc-role', 'viewer=staff'],
        ...['--dashboard-oidc-role', 'admin=ops'],
      ],
    });
  });
  after(async () => {
    await cluster?.stop();
    await provider?.stop();
    certificates.remove();
    rmSync(folder, { recursive: true });
  });

  const get = (at: Index, path: string, headers: Readonly<Record<string, string>>): Promise<Answer> =>
    cluster.node(at).platform.client.unchecked(new URL(path, cluster.bootstrap.base_url), { headers });

  async function begin(at: Index): Promise<Begun> {
    const { status, headers, text } = await get(at, '/ui/oidc', same);
    assert.equal(status, 303, text);
    const { searchParams } = new URL(String(headers.location));
    const state = searchParams.get('state') ?? '';
    // The provider knows the nonce of a code.
    const query = String(new URLSearchParams({ code: searchParams.get('nonce') ?? '', state }));
    return { query, cookie: String(headers['set-cookie']).split(';')[0] ?? '' };
  }

  const finish = (at: Index, { query, cookie }: Begun): Promise<Answer> =>
    get(at, `/ui/oidc/callback?${query}`, { 'sec-fetch-site': 'cross-site', cookie });

  /** Returns pages of the session that a callback began, at each daemon. */
  async function sessionOf(answer: Answer): Promise<readonly [ConsoleBrowser, ConsoleBrowser]> {
    assert.deepEqual([answer.status, answer.headers.location], [303, '/ui/'], answer.text);
    const [set = ''] = [answer.headers['set-cookie'] ?? []].flat();
    const cookie = set.split(';')[0] ?? '';
    const open = async (at: Index) => {
      const { platform } = cluster.node(at);
      const browser = new ConsoleBrowser(platform, cluster.bootstrap.base_url);
      browser.cookie = cookie;
      const { status, json, text } = await browser.request('GET', '/ui/session');
      assert.equal(status, 200, text);
      browser.csrf = json.csrf_token;
      return browser;
    };
    return [await open(0), await open(1)];
  }

  const streamOf = async ({ cookie }: ConsoleBrowser, at: Index): Promise<EventStream> => {
    const stream = await EventStream.open(cluster.at(at), { identity: { cookie, ...same } });
    await stream.first('ready');
    return stream;
  };

  test('one that is begun at one is finished at the other, used at both, and ended at both', async () => {
    provider.userinfo = { groups: ['ops'] };
    const begun = await begin(0);
    const browsers = await sessionOf(await finish(1, begun));
    for (const [at, browser] of browsers.entries()) {
      const made = await browser.request('POST', '/ip_policies', { description: `at ${at}` });
      assert.equal(made.status, 201, made.text);
    }
    for (const at of [0, 1] as const) {
      const again = await finish(at, begun);
      assert.deepEqual([again.status, again.headers['set-cookie']], [400, undefined], `used again at ${at}`);
    }
    const stream = await streamOf(browsers[0], 0);
    assert.equal((await browsers[1].request('DELETE', '/ui/session')).status, 204);
    for (const browser of browsers) assert.equal((await browser.request('GET', '/me')).status, 401);
    await stream.until(() => stream.isEnded, 'the end of the stream at the other daemon');
  });

  test('of two daemons that get one callback at the same time, one signs in', async () => {
    const begun = await begin(1);
    const answers = await Promise.all([finish(0, begun), finish(1, begun)]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 400]);
  });

  test('a user who comes to both daemons first is made once', async () => {
    const [claims, userinfo] = [provider.claims, provider.userinfo];
    // A name that is no Unicode, as some databases refuse.
    provider.claims = { sub: 'bob' };
    provider.userinfo = { sub: 'bob', name: '\ud800 Bob \u202e', groups: ['staff'] };
    const begun = await Promise.all([begin(0), begin(1), begin(0), begin(1)]);
    const answers = await Promise.all(begun.map((one, at) => finish(at % 2 === 0 ? 1 : 0, one)));
    const owners = await Promise.all(
      answers.map(async (answer) => (await (await sessionOf(answer))[0].request('GET', '/me')).json.user.id),
    );
    assert.equal(new Set(owners).size, 1, String(owners));
    Object.assign(provider, { claims, userinfo });
  });

  test('a sign-in that one daemon refuses ends the sessions and streams at the other', async () => {
    provider.userinfo = { groups: ['ops'] };
    const [atOne, atOther] = await sessionOf(await finish(0, await begin(1)));
    const { id } = (await atOne.request('GET', '/me')).json.user;
    const streams = [await streamOf(atOne, 0), await streamOf(atOther, 1)];
    provider.userinfo = { groups: [] };
    assert.equal((await finish(0, await begin(1))).status, 403);
    for (const browser of [atOther, atOne]) assert.equal((await browser.request('GET', '/me')).status, 401);
    for (const stream of streams) await stream.until(() => stream.isEnded, 'the end of a stream');
    const { changes } = (await cluster.api(1, 'GET', `/changes?kind=console_session&actor_id=${id}`)).json;
    assert.equal(changes[0].operation, 'console_oidc_refusal');
    provider.userinfo = { groups: ['staff'] };
    const [, back] = await sessionOf(await finish(1, await begin(0)));
    assert.equal((await back.request('GET', '/me')).json.role, 'viewer', 'the user of before');
  });
});
