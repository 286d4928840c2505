/**
 * SAML logins at two daemons on one database, as behind a load balancer.
 * Invariant: neither accepts a login that the other has used, or a session that it has ended.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { idpMetadata, logout, redirect, signOn } from '../../packages/server/src/pki/idp-metadata.fixture.ts';
import { answer, logoutXml, signedQuery } from '../../packages/server/src/saml/provider.fixture.ts';
import {
  type Answer,
  eventually,
  Platform,
  Postgres,
  postgresMissing,
  shareMasterKey,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import { partsFor, type SamlResource, SamlVisitor } from './saml-visitor.fixture.ts';

shareMasterKey();

const name = 'staff.underpass.localhost';
/** Common address of both, whatever ports they listen on themselves. */
let origin: string;

describe('SAML at two daemons', { skip: postgresMissing }, () => {
  let server: Postgres;
  let upstream: Upstream;
  let daemons: readonly Platform[] = [];
  let one: Platform;
  let other: Platform;
  let saml: SamlResource;

  before(async () => {
    server = await Postgres.shared();
    const args = ['--database', await server.database(), '--allow-private', '127.0.0.0/8'];
    one = await Platform.start({ args });
    origin = `https://${name}:${one.port}`;
    const baseUrl = `https://api.underpass.localhost:${one.port}`;
    other = await Platform.start({ args: [...args, '--base-url', baseUrl] });
    daemons = [one, other];
    assert.ok(existsSync(join(one.dataDir, 'bootstrap.json')));
    upstream = await startUpstream((request, response) => {
      response.end(JSON.stringify({ headers: request.headers }));
    });
    saml = await configure();
  });
  after(async () => {
    await Promise.all(daemons.map((daemon) => daemon.stop()));
    await upstream?.stop();
    await server?.stop();
  });

  async function configure(): Promise<SamlResource> {
    const create = async (path: string, body: object): Promise<string> => {
      const { status, json } = await one.api('POST', path, body);
      assert.equal(status, 201, JSON.stringify(json));
      return json.id as string;
    };
    await create('/reserved_domains', { name });
    const backend_id = await create('/backends/static', { address: `127.0.0.1:${upstream.port}` });
    const edge = await create('/edges/https', { hostports: [`${name}:443`] });
    const routes = `/edges/https/${edge}/routes`;
    const route = await create(routes, { match_type: 'path_prefix', match: '/', backend: { backend_id } });
    const services = `${signOn()}${logout('https://idp.example.com/slo', redirect)}`;
    const body = { idp_metadata: idpMetadata({ services }) };
    const { status, json } = await one.api('PUT', `${routes}/${route}/saml`, body);
    assert.equal(status, 200, JSON.stringify(json));
    await eventually(async () => assert.equal((await at(other).visit(`${origin}/`)).status, 302));
    return json as SamlResource;
  }

  /** The load balancer, which leads to one of them. */
  const at = (daemon: Platform): Pick<Platform, 'visit'> => ({
    async visit(where, init = {}) {
      const url = new URL(where);
      const { host } = url;
      url.port = String(daemon.port);
      return await daemon.client.request(url, { ...init, headers: { ...init.headers, host } });
    },
  });

  /** A browser whose load balancer leads to one daemon until the test changes it. */
  function browser(first: Platform): { visitor: SamlVisitor; moveTo(daemon: Platform): void } {
    let current = first;
    const visitor = new SamlVisitor({ visit: (url, init) => at(current).visit(url, init) });
    const moveTo = (daemon: Platform) => {
      current = daemon;
    };
    return { visitor, moveTo };
  }

  const isIn = async (visitor: SamlVisitor) => (await visitor.open(`${origin}/`, {})).status === 200;
  const codeOf = ({ headers }: Answer) => /_(\d+)$/.exec(String(headers['underpass-error-code']))?.[1];

  test('a login that is begun at one ends at the other, and the session is good at both', async () => {
    const { visitor, moveTo } = browser(one);
    const { id, relayState } = await visitor.ask(`${origin}/rota?week=2`, saml);
    moveTo(other);
    const response = answer({ ...partsFor(saml), inResponseTo: id });
    const back = await visitor.bring(saml, response, relayState);
    moveTo(one);
    const page = await visitor.follow(back);
    assert.deepEqual([page.status, page.json.headers['underpass-auth-user-id']], [200, 'ada']);
    moveTo(other);
    assert.equal(await isIn(visitor), true);
  });

  test('what was used up at one is refused at the other', async () => {
    const { visitor, moveTo } = browser(one);
    const { id, relayState } = await visitor.ask(`${origin}/`, saml);
    const response = answer({ ...partsFor(saml), inResponseTo: id });
    const back = await visitor.bring(saml, response, relayState);
    moveTo(other);
    assert.equal(codeOf(await visitor.bring(saml, response, relayState)), '60694', 'the assertion');
    const callback = String(back.headers.location);
    assert.equal((await visitor.follow(await visitor.open(callback))).status, 200);
    moveTo(one);
    assert.equal(codeOf(await visitor.open(callback)), '60694', 'the login');
  });

  test('of two daemons that are brought one assertion at the same time, one takes it', async () => {
    const response = answer(partsFor(saml));
    const brought = await Promise.all(
      daemons.map((daemon) => browser(daemon).visitor.bring(saml, response, `${origin}/`)),
    );
    assert.deepEqual(brought.map(({ status }) => status).toSorted(), [303, 400]);
  });

  test('who leaves at one, or at the provider by one, is logged out at the other', async () => {
    const logIn = async () => {
      const { visitor, moveTo } = browser(one);
      assert.equal((await visitor.logIn(`${origin}/`, saml)).status, 200);
      return { visitor, moveTo };
    };
    const leaves = await logIn();
    const stays = await logIn();
    // As if the browser had kept its cookie.
    const copy = leaves.visitor.copy();
    assert.equal((await leaves.visitor.open(`${origin}/underpass/logout`)).status, 302);
    leaves.moveTo(other);
    await eventually(async () => assert.equal(await isIn(copy), false));
    stays.moveTo(other);
    assert.equal(await isIn(stays.visitor), true, 'another session of the user');
    const xml = logoutXml({ destination: saml.single_logout_url, now: Date.now(), sessions: ['_s1'] });
    const told = await at(one).visit(`${saml.single_logout_url}?${signedQuery(xml, '')}`);
    assert.equal(told.status, 303);
    await eventually(async () => assert.equal(await isIn(stays.visitor), false));
  });
});
