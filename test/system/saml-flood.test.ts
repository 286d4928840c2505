/** Failing SAML messages from many addresses: what they cost is bounded, and users whose logins are right still get in. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { idpMetadata } from '../../packages/server/src/pki/idp-metadata.fixture.ts';
import { answer, inForm, stranger } from '../../packages/server/src/saml/provider.fixture.ts';
import { eventually, Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { partsFor, type SamlResource, SamlVisitor } from './saml-visitor.fixture.ts';

const name = 'flooded.underpass.localhost';
const isLinux = process.platform === 'linux';

describe('a flood of SAML messages', { skip: !isLinux && 'only Linux has all of 127.0.0.0/8' }, () => {
  let platform: Platform;
  let upstream: Upstream;
  let ca: string;

  before(async () => {
    platform = await Platform.start({ args: ['--allow-private', '127.0.0.0/8'] });
    ca = readFileSync(platform.bootstrap.ca_file, 'utf8');
    upstream = await startUpstream((_request, response) => response.end('in'));
    await create('/reserved_domains', { name });
  });
  after(async () => {
    await platform.stop();
    await upstream?.stop();
  });

  async function create(path: string, body: object): Promise<string> {
    const { status, json } = await platform.api('POST', path, body);
    assert.equal(status, 201, JSON.stringify(json));
    return json.id as string;
  }

  async function configure(): Promise<SamlResource> {
    const backend_id = await create('/backends/static', { address: `127.0.0.1:${upstream.port}` });
    const edge = await create('/edges/https', { hostports: [`${name}:443`] });
    const routes = `/edges/https/${edge}/routes`;
    const backend = { backend_id };
    const route = await create(routes, { match_type: 'path_prefix', match: '/', backend });
    const body = { idp_metadata: idpMetadata() };
    const { json } = await platform.api('PUT', `${routes}/${route}/saml`, body);
    await eventually(async () => assert.equal((await platform.visit(name)).status, 302));
    return json as SamlResource;
  }

  /** Brings a response from an address of this machine; the status and the code of what comes back. */
  async function bringFrom(
    from: string,
    saml: SamlResource,
    response: string,
    relayState = '',
  ): Promise<string> {
    const body = new URLSearchParams({ SAMLResponse: inForm(response), RelayState: relayState }).toString();
    const sent = request(saml.assertion_consumer_service_url, {
      ...{ method: 'POST', agent: false, localAddress: from, ca },
      lookup: (_name, _options, done) => done(null, '127.0.0.1', 4),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(body),
      },
    });
    sent.end(body);
    const [came] = (await once(sent, 'response')) as [IncomingMessage];
    await text(came);
    const code = /_(\d+)$/.exec(String(came.headers['underpass-error-code'] ?? ''))?.[1] ?? '';
    return `${came.statusCode} ${code}`.trim();
  }

  test('costs no more than its bound, whoever sends it, and shuts out no user whose login is right', async () => {
    const saml = await configure();
    const visitor = new SamlVisitor(platform);
    assert.equal((await visitor.logIn(`https://${name}:${platform.port}/`, saml)).status, 200);
    const begun = await new SamlVisitor(platform).ask(`https://${name}:${platform.port}/rota`, saml);
    // Messages of the largest size with a foreign signature: each is parsed and verified.
    const padded = (xml: string): string => xml.replace('Ada L&amp;öve', 'x'.repeat(80_000));
    const forged = answer(
      { ...partsFor(saml), edit: padded },
      { key: stranger.key, certificate: stranger.leaf },
    );
    const outcomes: string[] = [];
    for (let index = 0; index < 60; index += 1)
      outcomes.push(await bringFrom(`127.7.${index}.1`, saml, forged));
    assert.deepEqual([...new Set(outcomes)].toSorted(), ['403 60692', '429 60696'], outcomes.join());
    assert.equal(await bringFrom('127.7.1.1', saml, forged), '429 60696', 'a network that has failed');
    // A network whose user has logged in before.
    assert.equal(await bringFrom('127.0.0.1', saml, answer(partsFor(saml))), '303');
    // A network of which nothing is known, with an answer to a login that was begun here.
    const right = answer({ ...partsFor(saml), inResponseTo: begun.id });
    assert.equal(await bringFrom('127.8.8.8', saml, right, begun.relayState), '303');
  });
});
