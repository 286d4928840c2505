/** FIDO keys at the SSH gateway, in credentials and in user certificates; and public keys in the forms that programs print. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  Authenticator,
  authenticatorTypes,
} from '../../packages/server/src/pki/ssh/authenticator.fixture.ts';
import { Keys, sshKeygenMissing } from '../../packages/server/src/pki/ssh/ssh-keygen.fixture.ts';
import { Message } from '../../packages/server/src/ssh/numbers.ts';
import { RawClient } from '../../packages/server/src/ssh/raw-client.fixture.ts';
import { Gateway } from './ssh-gateway.fixture.ts';

const userPresent = 0x01;
let gateway: Gateway;
let authority: string;
const keys = new Keys();

before(async () => {
  if (sshKeygenMissing) return;
  gateway = await Gateway.start();
  authority = (await gateway.create('/ssh_certificate_authorities', {})).id;
});
after(async () => {
  keys.remove();
  await gateway?.stop();
});

/** Returns true if the gateway accepts the key, which the client presents as `line`. */
async function isLetIn(token: Authenticator, line = token.line, flags = userPresent): Promise<boolean> {
  const client = await RawClient.withKeys(gateway.port);
  const [algorithm = '', base64 = ''] = line.split(' ');
  client.loginWith(algorithm, Buffer.from(base64, 'base64'), (data) => token.sign(data, flags));
  const accepted = client.message(Message.userauthSuccess).then(() => true);
  const refused = client.message(Message.userauthFailure).then(() => false);
  const isIn = await Promise.race([accepted, refused]);
  client.socket.destroy();
  await Promise.allSettled([accepted, refused]);
  return isIn;
}

for (const type of authenticatorTypes) {
  describe(type, { skip: sshKeygenMissing }, () => {
    async function certified(token: Authenticator, principal: string, fields: object = {}): Promise<string> {
      const body = {
        ssh_certificate_authority_id: authority,
        public_key: token.line,
        principals: [principal],
      };
      return (await gateway.create('/ssh_user_certificates', { ...body, ...fields })).certificate;
    }

    test('an SSH credential lets in who touches the key', async () => {
      const token = new Authenticator(type);
      assert.equal(await isLetIn(token), false);
      await gateway.create('/ssh_credentials', { public_key: token.line });
      assert.equal(await isLetIn(token), true);
      assert.equal(await isLetIn(token, token.line, 0), false);
      const other = new Authenticator(type);
      assert.equal(await isLetIn(other, token.line), false);
    });

    test('ssh-keygen reads the user certificate, which lets in as the credential that it names', async () => {
      const token = new Authenticator(type);
      const line = await certified(token, gateway.home.id);
      assert.ok(
        keys.read(['-L'], line).includes(`Type: ${type.replace('@', '-cert-v01@')} user certificate`),
      );
      assert.equal(await isLetIn(token, line), true);
      assert.equal(await isLetIn(token, line, 0), false);
      assert.equal(await isLetIn(new Authenticator(type), line), false);
    });

    test('a certificate may permit that nobody touches the key, or demand a PIN', async () => {
      const token = new Authenticator(type);
      const untouched = await certified(token, gateway.home.id, { extensions: { 'no-touch-required': '' } });
      assert.equal(await isLetIn(token, untouched, 0), true);
      const demanding = await certified(token, gateway.home.id, {
        critical_options: { 'verify-required': '' },
      });
      assert.equal(await isLetIn(token, demanding), false);
      assert.equal(await isLetIn(token, demanding, 0x05), true);
    });

    test('no host is certified with it', async () => {
      const body = { ssh_certificate_authority_id: authority, public_key: new Authenticator(type).line };
      const { status, json } = await gateway.platform.api('POST', '/ssh_host_certificates', body);
      assert.equal(status, 400);
      assert.match(json.msg, /security key signs only when it is touched/);
    });
  });
}

test('each form of a key is taken at credentials, host certificates and user certificates', {
  skip: sshKeygenMissing,
}, async () => {
  const { line } = keys.make(['-t', 'rsa', '-b', '2048']);
  const forms = {
    line,
    'RFC 4716': keys.read(['-e'], line),
    SPKI: keys.read(['-e', '-m', 'PKCS8'], line),
    'PKCS#1': keys.read(['-e', '-m', 'PEM'], line),
  };
  for (const [form, public_key] of Object.entries(forms)) {
    for (const path of ['/ssh_host_certificates', '/ssh_user_certificates']) {
      const body = { ssh_certificate_authority_id: authority, public_key, principals: ['a.example.com'] };
      const { certificate } = await gateway.create(path, body);
      assert.ok(keys.read(['-L'], certificate).includes(keys.read(['-l'], line).split(' ')[1] ?? '?'), form);
    }
    const { id } = await gateway.create('/ssh_credentials', { public_key });
    assert.equal((await gateway.platform.api('DELETE', `/ssh_credentials/${id}`)).status, 204);
  }
});
