/** The protocol, judged by OpenSSH. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { missingPrograms } from '../../../../test/harness/missing.ts';
import { rowsOf } from '../../../../test/harness/property-runs.ts';
import {
  fingerprint,
  generateSigningKey,
  isKeyFault,
  issueCertificate,
  openSigningKey,
  parsePublicKey,
} from '../pki/ssh/index.ts';
import { Keys, keyTypes } from '../pki/ssh/ssh-keygen.fixture.ts';
import type { Offered } from './authentication.ts';
import { ciphers, macs, needsMac } from './cipher-suite.ts';
import { certifiedHostKey, plainHostKey } from './host-key.ts';
import { keyExchanges } from './key-agreement.ts';
import { openSsh, permissive, running, serve, type TestServer } from './openssh.fixture.ts';

const skip = missingPrograms('ssh', 'ssh-keygen');
const keys = new Keys();
const servers: TestServer[] = [];
after(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  keys.remove();
});

async function started(...args: Parameters<typeof serve>): Promise<number> {
  const server = await serve(...args);
  servers.push(server);
  return server.port;
}

const privateKey = (made: { readonly path: string }): string => made.path.replace(/\.pub$/, '');
const echo = running((command) => `ran ${command}\n`);

/** A command that keeps what it reads, and writes `back` at the end of it. */
function exchangesData(received: Buffer[], back: Buffer) {
  return running((_command, channel) => {
    channel.handler = {
      data: (chunk) => received.push(Buffer.from(chunk)),
      end: () => {
        channel.write(back);
        channel.exit(0);
      },
      drain() {},
      close() {},
    };
    return null;
  });
}

function subject(line: string) {
  const key = parsePublicKey(line);
  assert.ok(!isKeyFault(key));
  return key;
}

describe('OpenSSH', { skip: skip }, () => {
  const ed25519 = keys.make(keyTypes['ssh-ed25519']);

  for (const [algorithm, args] of rowsOf(Object.entries(keyTypes))) {
    it(`logs in with a key of the type ${algorithm}, and with a certificate of it`, async () => {
      const made = keys.make(args);
      const seen: Offered[] = [];
      const prove = async (offered: Offered) => {
        seen.push(offered);
        return null;
      };
      const port = await started(() => permissive({ ...echo, prove }));
      const plain = await openSsh(port, ['-i', privateKey(made), 'somebody@127.0.0.1', 'a b']);
      assert.equal(plain.out.toString(), 'ran a b\n', plain.err);
      assert.equal(plain.code, 0);
      const authority = openSigningKey(await generateSigningKey({ type: 'ecdsa', curve: 'nistp256' }));
      const content = {
        ...({ role: 'user', serial: 7n, keyId: 'id', principals: ['one', 'two'] } as const),
        ...{ validAfter: 0, validBefore: 4e9, criticalOptions: {}, extensions: { 'permit-pty': '' } },
      };
      const certificate = `${privateKey(made)}-cert.pub`;
      writeFileSync(certificate, `${issueCertificate(subject(made.line), content, authority)}\n`);
      const options = ['-i', privateKey(made), '-o', `CertificateFile=${certificate}`];
      const certified = await openSsh(port, [...options, '127.0.0.1', 'c']);
      assert.equal(certified.code, 0, certified.err);
      const [first, second] = seen;
      assert.equal(first?.user, 'somebody');
      assert.equal(first?.certificate, null);
      assert.deepEqual(
        [first?.key, second?.key].map((key) => key && fingerprint(key)),
        [fingerprint(subject(made.line)), fingerprint(subject(made.line))],
      );
      assert.deepEqual(second?.certificate?.principals, ['one', 'two']);
      assert.deepEqual(second?.certificate?.authority.blob, authority.publicKey.blob);
    });
  }

  const known = skip === false ? execFileSync('ssh', ['-Q', 'kex'], { encoding: 'utf8' }).split('\n') : [];
  for (const method of rowsOf(keyExchanges.filter((name) => known.includes(name)))) {
    it(`agrees on ${method} alone`, async () => {
      const port = await started(() => permissive(echo));
      const options = ['-o', `KexAlgorithms=${method}`, '-i', privateKey(ed25519)];
      const { code, err } = await openSsh(port, [...options, '127.0.0.1', 'x']);
      assert.equal(code, 0, err);
    });
  }

  for (const algorithm of ['ssh-ed25519', 'ecdsa-sha2-nistp256']) {
    it(`accepts a host key of the type ${algorithm} alone`, async () => {
      const types = [{ type: 'ed25519' }, { type: 'ecdsa', curve: 'nistp256' }] as const;
      const made = await Promise.all(types.map((type) => generateSigningKey(type)));
      const hostKeys = made.map((pem) => plainHostKey(openSigningKey(pem)));
      const port = await started(() => permissive(echo), { hostKeys });
      const options = ['-v', '-o', `HostKeyAlgorithms=${algorithm}`, '-i', privateKey(ed25519)];
      const { code, err } = await openSsh(port, [...options, '127.0.0.1', 'x']);
      assert.equal(code, 0, err);
      assert.match(err, new RegExp(`Server host key: ${algorithm}`));
    });
  }

  const outdated: readonly (readonly [string, RegExp])[] = [
    ['KexAlgorithms=diffie-hellman-group14-sha1', /no matching key exchange method/],
    ['KexAlgorithms=diffie-hellman-group-exchange-sha256', /no matching key exchange method/],
    ['Ciphers=aes256-cbc,3des-cbc', /no matching cipher/],
    ['HostKeyAlgorithms=ssh-rsa', /no matching host key type/],
  ];
  it('agrees on nothing with a client whose cipher needs a MAC, and that has weak ones only', async () => {
    const port = await started(() => permissive(echo));
    const options = ['-c', 'aes128-ctr', '-m', 'hmac-sha1', '-i', privateKey(ed25519)];
    const { err } = await openSsh(port, [...options, '127.0.0.1', 'x']);
    assert.match(err, /no matching MAC/);
  });

  for (const [option, words] of rowsOf(outdated)) {
    it(`agrees on nothing with a client of which is asked ${option}`, async () => {
      const port = await started(() => permissive(echo));
      const { code, err } = await openSsh(port, ['-o', option, '-i', privateKey(ed25519), '127.0.0.1', 'x']);
      assert.equal(code, 255);
      assert.match(err, words);
    });
  }

  it('is not let in by a signature with SHA-1', async () => {
    const port = await started(() => permissive(echo));
    const rsa = privateKey(keys.make(keyTypes['ssh-rsa']));
    const options = ['-o', 'PubkeyAcceptedAlgorithms=ssh-rsa', '-i', rsa];
    assert.equal((await openSsh(port, [...options, '127.0.0.1', 'x'])).code, 255);
  });

  it('knows the server by a host certificate', async () => {
    const key = openSigningKey(await generateSigningKey({ type: 'ed25519' }));
    const authority = openSigningKey(await generateSigningKey({ type: 'ed25519' }));
    const content = {
      ...({ role: 'host', serial: 1n, keyId: 'id', principals: ['gate.example.com'] } as const),
      ...{ validAfter: 0, validBefore: 4e9, criticalOptions: {}, extensions: {} },
    };
    const hostKeys = [certifiedHostKey(key, issueCertificate(key.publicKey, content, authority))];
    const port = await started(() => permissive(echo), { hostKeys });
    const line = `${authority.publicKey.algorithm} ${authority.publicKey.blob.toString('base64')}`;
    const known = `${privateKey(ed25519)}.known`;
    const check = async (name: string) => {
      writeFileSync(known, `@cert-authority ${name} ${line}\n`);
      const options = ['StrictHostKeyChecking=yes', `UserKnownHostsFile=${known}`, `HostKeyAlias=${name}`];
      const flags = options.flatMap((option) => ['-o', option]);
      return openSsh(port, ['-i', privateKey(ed25519), ...flags, '127.0.0.1', 'x']);
    };
    assert.equal((await check('gate.example.com')).code, 0);
    assert.notEqual((await check('other.example.com')).code, 0);
  });

  for (const cipher of rowsOf(ciphers)) {
    for (const mac of needsMac(cipher) ? macs : [null]) {
      const both = mac === null ? cipher : `${cipher} and ${mac}`;
      it(`changes keys under ${both} in the middle of data of both directions, whoever begins it`, async () => {
        const sent = randomBytes(2_000_000);
        const back = randomBytes(2_000_000);
        const received: Buffer[] = [];
        const port = await started(() => permissive(exchangesData(received, back)), { bytesPerKey: 400_000 });
        const options = ['-c', cipher, '-m', mac ?? macs.join(','), '-o', 'RekeyLimit=300K', '-v'];
        const command = ['-i', privateKey(ed25519), '127.0.0.1', 'x'];
        const { out, code, err } = await openSsh(port, [...options, ...command], sent);
        assert.equal(code, 0, err);
        assert.ok(Buffer.concat(received).equals(sent));
        assert.ok(out.equals(back));
        assert.match(err, new RegExp(`server->client cipher: ${cipher} MAC: ${mac ?? '<implicit>'} `));
        assert.ok(err.split('SSH2_MSG_NEWKEYS received').length > 5, err);
      });
    }
  }

  it('is told why keys are refused, and that there were too many', async () => {
    const port = await started(() => permissive({ offer: async () => ({ text: 'nobody has this key' }) }));
    const some = Array.from({ length: 12 }, () => ['-i', privateKey(keys.make(keyTypes['ssh-ed25519']))]);
    const { code, err } = await openSsh(port, [...some.flat(), '127.0.0.1', 'x']);
    assert.equal(code, 255);
    assert.match(err, /nobody has this key/);
    assert.match(err, /10 keys were refused/);
  });

  it('is refused connections to elsewhere, with words', async () => {
    const port = await started(() => permissive(running(() => null)));
    const key = ['-i', privateKey(ed25519), '-o', 'ExitOnForwardFailure=yes'];
    const { err, code } = await openSsh(port, [...key, '-W', '169.254.169.254:80', '127.0.0.1']);
    assert.match(err, /no direct-tcpip here/);
    assert.notEqual(code, 0);
  });
});
