/** Unusual forms of messages of identity providers, at a daemon: on the route of an edge, and on an endpoint configuration. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  certificate,
  idpMetadata,
  keyDescriptor,
} from '../../packages/server/src/pki/idp-metadata.fixture.ts';
import {
  answer,
  assertionXml,
  type ResponseParts,
  responseXml,
  signed,
} from '../../packages/server/src/saml/provider.fixture.ts';
import { type Answer, eventually, Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { partsFor, type SamlResource, SamlVisitor } from './saml-visitor.fixture.ts';

const claims = 'http://schemas.microsoft.com/ws/2008/06/identity/claims';
const names = { route: 'forms.underpass.localhost', configuration: 'bound-forms.underpass.localhost' };

let platform: Platform;
let upstream: Upstream;
/** Paths of the modules. */
const modules = { route: '', configuration: '' };

before(async () => {
  platform = await Platform.shared({ args: ['--allow-private', '127.0.0.0/8'] });
  upstream = await startUpstream((request, response) => {
    response.end(JSON.stringify({ path: request.url, headers: request.headers }));
  });
  await create('/reserved_domains', { name: names.route });
  const backend_id = await create('/backends/static', { address: `127.0.0.1:${upstream.port}` });
  const edge = await create('/edges/https', { hostports: [`${names.route}:443`] });
  const routes = `/edges/https/${edge}/routes`;
  const route = { match_type: 'path_prefix', match: '/', backend: { backend_id } };
  modules.route = `${routes}/${await create(routes, route)}/saml`;
  const configuration = await create('/endpoint_configurations', { type: 'https' });
  const domain = await create('/reserved_domains', { name: names.configuration });
  await platform.api('PATCH', `/reserved_domains/${domain}`, {
    https_endpoint_configuration_id: configuration,
  });
  await platform.agent(['http', String(upstream.port), '--domain', names.configuration]);
  modules.configuration = `/endpoint_configurations/${configuration}/saml`;
});
after(async () => {
  await platform.stop();
  await upstream?.stop();
});

async function create(at: string, body: object): Promise<string> {
  const { status, json } = await platform.api('POST', at, body);
  assert.equal(status, 201, JSON.stringify(json));
  return json.id as string;
}

for (const carrier of ['route', 'configuration'] as const)
  describe(`the module of a ${carrier}`, () => {
    const origin = (): string => `https://${names[carrier]}:${platform.port}`;

    async function configure(changes: object = {}): Promise<SamlResource> {
      const body = { idp_metadata: idpMetadata(), authorized_groups: ['staff'], ...changes };
      const { status, json } = await platform.api('PUT', modules[carrier], body);
      assert.equal(status, 200, JSON.stringify(json));
      return json as SamlResource;
    }

    /** The end of a login whose message `form` makes. */
    async function logIn(saml: SamlResource, form: (parts: ResponseParts) => string): Promise<Answer> {
      const visitor = new SamlVisitor(platform);
      const { id, relayState } = await visitor.ask(`${origin()}/desk`, saml);
      const message = form({ ...partsFor(saml), inResponseTo: id, groups: ['staff'] });
      return await visitor.follow(await visitor.bring(saml, message, relayState));
    }

    const ofResponse = (parts: ResponseParts): string =>
      signed(responseXml(parts, assertionXml(parts)), 'Response');

    test('a signed response around an unsigned assertion logs its user in, and a changed one does not', async () => {
      const saml = await configure();
      const page = await logIn(saml, ofResponse);
      assert.deepEqual([page.status, page.json.path], [200, '/desk']);
      assert.equal(page.json.headers['underpass-auth-user-id'], 'ada');
      assert.equal(
        (await logIn(saml, (parts) => signed(answer(parts), 'Response'))).status,
        200,
        'both signed',
      );
      const changed = await logIn(saml, (parts) => ofResponse(parts).replace('>ada<', '>root<'));
      assert.equal(changed.status, 403);
      const unsigned = await logIn(saml, (parts) => responseXml(parts, assertionXml(parts)));
      assert.equal(unsigned.status, 403);
    });

    test('a certificate with the lines of PEM is accepted in metadata', async () => {
      const saml = await configure({ idp_metadata: idpMetadata({ keys: keyDescriptor(certificate) }) });
      assert.equal((await logIn(saml, answer)).status, 200);
      const wrong = { idp_metadata: idpMetadata({ keys: keyDescriptor('!!!') }) };
      const { status, json } = await platform.api('PUT', modules[carrier], wrong);
      assert.equal(status, 400);
      assert.match(JSON.stringify(json), /an X509Certificate is not base64/);
    });

    test('groups are read under the names of the providers, or under those that the module lists', async () => {
      const named = (name: string) => (parts: ResponseParts) =>
        answer({ ...parts, edit: (xml) => xml.replace('Name="groups"', `Name="${name}"`) });
      const saml = await configure();
      for (const name of [
        ...['memberOf', 'member', 'Role', 'roles', 'Groups', 'group', `${claims}/role`, `${claims}/groups`],
        ...['http://schemas.xmlsoap.org/claims/Group', 'urn:oid:1.3.6.1.4.1.5923.1.5.1.1'],
        'urn:oid:1.3.6.1.4.1.5923.1.1.1.7',
      ])
        assert.equal((await logIn(saml, named(name))).status, 200, name);
      const own = await configure({ group_attributes: ['department'] });
      assert.equal((await logIn(own, named('department'))).status, 200);
      assert.equal((await logIn(own, named('groups'))).status, 403);
      const shown = await platform.api('GET', modules[carrier]);
      assert.deepEqual(shown.json.group_attributes, ['department']);
      await configure();
      assert.deepEqual((await platform.api('GET', modules[carrier])).json.group_attributes, []);
    });

    test('the log line of a refusal names the attributes that came', async () => {
      const saml = await configure();
      const link = 'http://schemas.microsoft.com/claims/groups.link';
      const refused = await logIn(saml, (parts) =>
        answer({ ...parts, edit: (xml) => xml.replace('Name="groups"', `Name="${link}"`) }),
      );
      assert.equal(refused.status, 403);
      assert.match(String(refused.headers['underpass-error-code']), /_5312$/);
      const [request = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(refused.text) ?? [];
      await eventually(() => {
        const [line = ''] =
          new RegExp(`.*"request":"${request}".*"check":.*`).exec(platform.daemon.output) ?? [];
        const { reason } = JSON.parse(line) as { reason: string };
        assert.match(reason, /ada is in none of the authorized groups/);
        assert.match(
          reason,
          /the attributes "email", "urn:oid:2\.16\.840\.1\.113730\.3\.1\.241", "http.*groups\.link"/,
        );
        assert.match(reason, /groups that are too many to send/);
      });
    });

    test('a RelayState that is a path leads there at the first name', async () => {
      const saml = await configure();
      const begun = async (relayState: string): Promise<Answer> => {
        const visitor = new SamlVisitor(platform);
        const message = answer({ ...partsFor(saml), groups: ['staff'] });
        return await visitor.follow(await visitor.bring(saml, message, relayState));
      };
      for (const path of ['/x', '/x/y?z=1']) assert.equal((await begun(path)).json.path, path);
      for (const path of ['//evil.example.com/x', '/\\evil.example.com', 'x'])
        assert.equal((await begun(path)).status, 400, path);
    });

    test('a user whom the provider did not log in gets an error', async () => {
      const saml = await configure();
      const status = 'urn:oasis:names:tc:SAML:2.0:status';
      const declined = await logIn(saml, (parts) =>
        responseXml({ ...parts, status: `${status}:Responder` }, '').replace(
          /<samlp:StatusCode ([^>]*)\/>/,
          `<samlp:StatusCode $1><samlp:StatusCode Value="${status}:AuthnFailed"/></samlp:StatusCode>`,
        ),
      );
      assert.equal(declined.status, 403);
      assert.match(String(declined.headers['underpass-error-code']), /_60782$/);
      assert.match(declined.text, /identity provider did not log you in/);
    });

    test('clocks may differ by three minutes', async () => {
      const saml = await configure();
      for (const seconds of [-170, 170])
        assert.equal(
          (await logIn(saml, (parts) => answer({ ...parts, now: Date.now() + seconds * 1000 }))).status,
          200,
        );
      const late = (parts: ResponseParts): string => answer({ ...parts, now: Date.now() - 500_000 });
      assert.equal((await logIn(saml, late)).status, 403);
    });
  });
