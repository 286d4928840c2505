/** Logins of SSH clients, and the ends of their sessions. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually, makeSshKey, Process, sshMissing } from '../harness/index.ts';
import { addAccount } from './attacks.fixture.ts';
import { ended, Gateway, online } from './ssh-gateway.fixture.ts';

let files = 0;
let names = 0;
let gateway: Gateway;
before(async () => {
  if (sshMissing === false) gateway = await Gateway.start();
});
after(() => gateway?.stop());

describe('a user certificate', { skip: sshMissing }, () => {
  let authority: string;
  let bare: ReturnType<typeof makeSshKey>;

  before(async () => {
    authority = (await gateway.create('/ssh_certificate_authorities', {})).id;
    bare = makeSshKey(gateway.directory, 'bare', ['-t', 'ecdsa']);
  });

  async function certified(fields: object): Promise<readonly string[]> {
    const body = { ssh_certificate_authority_id: authority, public_key: bare.line, ...fields };
    const { certificate } = await gateway.create('/ssh_user_certificates', body);
    const path = join(gateway.directory, `${++files}-cert.pub`);
    writeFileSync(path, `${certificate}\n`);
    return ['-o', `CertificateFile=${path}`];
  }

  test('lets in as the credential that it names, with its rules', async () => {
    const named = await gateway.register({ acl: ['bind:allowed.underpass.localhost'] });
    const options = await certified({ principals: ['somebody', named.id] });
    const url = await online(
      gateway.run([...options, ...gateway.forward('80')], ['http', '--subdomain', 'allowed'], bare.path),
    );
    assert.equal((await gateway.platform.visit(url)).status, 200);
    assert.equal((await gateway.sessionOf(named.id)).transport, 'ssh');
    const refused = await ended(
      gateway.run([...options, ...gateway.forward('80')], ['http', '--subdomain', 'other'], bare.path),
    );
    assert.match(refused.output, /do not permit other\.underpass\.localhost.*ERR_SERVICE_316/);
    assert.equal(refused.code, 1);
  });

  test('runs the command that it forces, in place of any other', async () => {
    const critical_options = { 'force-command': 'http --subdomain forced' };
    const options = await certified({ principals: [gateway.home.id], critical_options });
    const url = await online(
      gateway.run([...options, ...gateway.forward('80')], ['http', '--subdomain', 'asked'], bare.path),
    );
    assert.equal(new URL(url).hostname, 'forced.underpass.localhost');
  });

  test('runs the command that it forces for a client that gives none', async () => {
    const critical_options = {
      'force-command': 'http --subdomain forced-alone --basic-auth someone:their-password',
    };
    const options = await certified({ principals: [gateway.home.id], critical_options });
    gateway.run([...options, '-N', ...gateway.forward('80')], [], bare.path);
    const visit = () => gateway.platform.visit('forced-alone.underpass.localhost');
    await eventually(async () => assert.equal((await visit()).status, 401));
  });

  const bad: readonly (readonly [string, object, RegExp])[] = [
    ['it names no credential', { principals: ['somebody'] }, /none of its principals/],
    ['it names nobody at all', { principals: [] }, /none of its principals/],
    [
      'it is not valid any more',
      { valid_after: '2020-01-01T00:00:00Z', valid_until: '2021-01-01T00:00:00Z' },
      /not valid any more/,
    ],
    [
      'it is used from elsewhere',
      { critical_options: { 'source-address': '192.0.2.0/24' } },
      /from 127\.0\.0\.1/,
    ],
    ['it asks for what is not known', { critical_options: { 'new@example.com': '' } }, /critical option/],
  ];
  for (const [why, fields, words] of bad) {
    test(`is refused when ${why}`, async () => {
      const options = await certified({ principals: [gateway.home.id], ...fields });
      const { code, output } = await ended(
        gateway.run([...options, ...gateway.forward('80')], ['http'], bare.path),
      );
      assert.equal(code, 255);
      assert.match(output, words);
      assert.match(output, /ERR_SERVICE_60460/);
    });
  }

  test('without permit-pty has no terminal', async () => {
    const options = await certified({ principals: [gateway.home.id], extensions: {} });
    const client = gateway.run(['-tt', ...options, ...gateway.forward('80')], ['http'], bare.path);
    await client.line(/PTY allocation request failed/);
  });

  test("of another account's authority is refused, whichever credential it names", async () => {
    const other = await addAccount(gateway.platform);
    const headers = { authorization: `Bearer ${other.api_key}` };
    const theirs = await gateway.platform.api('POST', '/ssh_certificate_authorities', {}, headers);
    const body = {
      ssh_certificate_authority_id: theirs.json.id,
      public_key: bare.line,
      principals: [gateway.home.id],
    };
    const { json } = await gateway.platform.api('POST', '/ssh_user_certificates', body, headers);
    const path = join(gateway.directory, 'of-another-account-cert.pub');
    writeFileSync(path, `${json.certificate}\n`);
    const client = gateway.run(
      ['-o', `CertificateFile=${path}`, ...gateway.forward('80')],
      ['http'],
      bare.path,
    );
    assert.match((await ended(client)).output, /none of its principals is the id/);
  });

  test('is refused when nobody here knows its authority', async () => {
    const foreign = makeSshKey(gateway.directory, 'foreign', ['-t', 'ed25519']);
    const path = join(gateway.directory, 'foreign-user.pub');
    writeFileSync(path, bare.line);
    const signer = Process.program('ssh-keygen', [
      '-s',
      foreign.path,
      '-I',
      'x',
      '-n',
      gateway.home.id,
      path,
    ]);
    assert.equal((await signer.exited).code, 0);
    const options = ['-o', `CertificateFile=${path.replace('.pub', '-cert.pub')}`];
    const { output } = await ended(gateway.run([...options, ...gateway.forward('80')], ['http'], bare.path));
    assert.match(output, /no SSH certificate authority of this service/);
  });
});

describe('what changes ends sessions', { skip: sshMissing }, () => {
  async function started(fields: object = {}) {
    const own = await gateway.register(fields);
    const client = gateway.run(gateway.forward('80'), ['http', '--subdomain', `ends${++names}`], own.path);
    await online(client);
    return { ...own, client };
  }

  test('a credential that is deleted', async () => {
    const { client, id } = await started();
    await gateway.platform.api('DELETE', `/ssh_credentials/${id}`);
    const { code, output } = await ended(client);
    assert.equal(code, 255);
    assert.match(output, /Received disconnect.*was deleted, which ends its sessions/);
  });

  test('a certificate that is deleted, with which nobody comes in again', async () => {
    const authority = await gateway.create('/ssh_certificate_authorities', {});
    const bare = makeSshKey(gateway.directory, 'revoked', ['-t', 'ed25519']);
    const { id, certificate } = await gateway.create('/ssh_user_certificates', {
      ssh_certificate_authority_id: authority.id,
      public_key: bare.line,
      principals: [gateway.home.id],
    });
    const path = join(gateway.directory, 'revoked-cert.pub');
    writeFileSync(path, `${certificate}\n`);
    const start = () =>
      gateway.run(['-o', `CertificateFile=${path}`, ...gateway.forward('80')], ['http'], bare.path);
    const client = start();
    await online(client);
    await gateway.platform.api('DELETE', `/ssh_user_certificates/${id}`);
    assert.match(
      (await ended(client)).output,
      new RegExp(`certificate ${id} was deleted, which ends.*60408`),
    );
    assert.match((await ended(start())).output, /it was deleted.*60460/);
  });

  test('rules that permit the name no longer', async () => {
    const { client, id } = await started();
    await gateway.platform.api('PATCH', `/ssh_credentials/${id}`, { acl: ['bind:else.underpass.localhost'] });
    assert.match((await ended(client)).output, /do not permit/);
  });

  test('an owner who is no longer active', async () => {
    const bot = await gateway.create('/bot_users', { name: 'a bot' });
    const { client, path } = await started({ owner_id: bot.id });
    await gateway.platform.api('PATCH', `/bot_users/${bot.id}`, { active: false });
    assert.match((await ended(client)).output, /owner of the SSH credential is no longer active/);
    assert.match(
      (await ended(gateway.run(gateway.forward('80'), ['http'], path))).output,
      /ERR_SERVICE_60462/,
    );
  });

  test('stop through the API; restart and update are refused', async () => {
    const { client, id } = await started();
    const session = (await gateway.sessionOf(id)).id;
    const restart = await gateway.platform.api('POST', `/tunnel_sessions/${session}/restart`, {});
    assert.equal(restart.json.error_code, 'ERR_SERVICE_1122');
    const update = await gateway.platform.api('POST', `/tunnel_sessions/${session}/update`, {});
    assert.equal(update.json.error_code, 'ERR_SERVICE_1121');
    assert.equal((await gateway.platform.api('POST', `/tunnel_sessions/${session}/stop`, {})).status, 204);
    assert.match((await ended(client)).output, /stopped through the API/);
  });
});
