/**
 * SSH certificates, verified by OpenSSH.
 * Invariant: expired and foreign certificates are refused.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeSshKey, Platform, SshServer, ssh, sshServerMissing } from '../harness/index.ts';

const NAME = 'host.example.com';
const user = userInfo().username;

const keyTypes = {
  'ssh-ed25519': ['-t', 'ed25519'],
  'ecdsa-sha2-nistp256': ['-t', 'ecdsa', '-b', '256'],
  'ecdsa-sha2-nistp384': ['-t', 'ecdsa', '-b', '384'],
  'ecdsa-sha2-nistp521': ['-t', 'ecdsa', '-b', '521'],
  'ssh-rsa': ['-t', 'rsa', '-b', '2048'],
};
const authorityTypes: readonly Record<string, string | number>[] = [
  { private_key_type: 'ed25519' },
  { private_key_type: 'ecdsa', elliptic_curve: 'nistp256' },
  { private_key_type: 'ecdsa', elliptic_curve: 'nistp384' },
  { private_key_type: 'ecdsa', elliptic_curve: 'nistp521' },
  { private_key_type: 'rsa', key_size: 2048 },
  { private_key_type: 'rsa', key_size: 4096 },
];

interface Authority {
  readonly id: string;
  readonly public_key: string;
}

let platform: Platform;
let directory: string;
let keys: readonly { algorithm: string; path: string; line: string }[];
let authorities: readonly Authority[];
let count = 0;

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'underpass-ssh-'));
  if (sshServerMissing !== false) return;
  platform = await Platform.start();
  keys = Object.entries(keyTypes).map(([algorithm, args]) => ({
    algorithm,
    ...makeSshKey(directory, algorithm, args),
  }));
  authorities = await Promise.all(
    authorityTypes.map((body) => created<Authority>('/ssh_certificate_authorities', body)),
  );
});
after(async () => {
  await platform?.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function created<Shape>(path: string, body: unknown): Promise<Shape> {
  const { status, json, text } = await platform.api('POST', path, body);
  assert.equal(status, 201, text);
  return json;
}

function hour(offset: number): string {
  return new Date(Date.now() + offset * 3_600_000).toISOString();
}

async function certify(
  role: 'host' | 'user',
  authority: Authority,
  public_key: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const principals = [role === 'host' ? NAME : user];
  const body = { ssh_certificate_authority_id: authority.id, public_key, principals, ...fields };
  const { certificate } = await created<{ certificate: string }>(`/ssh_${role}_certificates`, body);
  return certificate;
}

function file(text: string): string {
  const path = join(directory, `file${++count}`);
  writeFileSync(path, `${text}\n`, { mode: 0o600 });
  return path;
}

/** Options of `ssh` that trust only the authority's hosts below example.com. */
function knows(authority: Authority, name = NAME): string[] {
  const known = file(`@cert-authority *.example.com ${authority.public_key}`);
  return [`UserKnownHostsFile=${known}`, `HostKeyAlias=${name}`];
}

describe('host certificates', { skip: sshServerMissing }, () => {
  const login = () => {
    const { path, line } = keys[0] as (typeof keys)[number];
    return { identity: `IdentityFile=${path}`, authorizedKeys: [line] };
  };

  test('ssh that knows only the authority accepts sshd, for every pair of authority and host key', async () => {
    const { identity, authorizedKeys } = login();
    await Promise.all(
      authorities.map(async (authority) => {
        const hostKeys = await Promise.all(
          keys.map(async ({ path, line }) => ({ path, certificate: await certify('host', authority, line) })),
        );
        const server = await SshServer.start({ hostKeys, authorizedKeys });
        try {
          for (const { algorithm } of keys) {
            const name = algorithm === 'ssh-rsa' ? 'rsa-sha2-512' : algorithm;
            const only = `HostKeyAlgorithms=${name}-cert-v01@openssh.com`;
            const { code, output } = await ssh(server.port, [identity, only, ...knows(authority)]);
            assert.equal(code, 0, `${algorithm} by ${authority.public_key}:\n${output}\n${server.log}`);
            assert.match(output, /^in$/m);
          }
        } finally {
          await server.stop();
        }
      }),
    );
  });

  for (const [what, fields, reason] of [
    ['expired', { valid_after: hour(-2), valid_until: hour(-1) }, /Certificate invalid: expired/],
    ['not valid yet', { valid_after: hour(1), valid_until: hour(2) }, /Certificate invalid: not yet valid/],
    ['of another host', { principals: ['other.example.com'] }, /Certificate invalid: name is not a listed/],
  ] as const) {
    test(`ssh refuses a certificate that is ${what}`, async () => {
      await refusedFor(await certifiedHost(fields), knows(authorities[0] as Authority), reason);
    });
  }

  test('ssh refuses a certificate of another authority', async () => {
    await refusedFor(await certifiedHost({}), knows(authorities[1] as Authority), /No .* host key is known/);
  });

  test('a certificate without principals is one for every host that the authority is known for', async () => {
    const server = await certifiedHost({ principals: [] });
    const { identity } = login();
    const options = [identity, ...knows(authorities[0] as Authority, 'whatever.example.com')];
    const { code, output } = await ssh(server.port, options);
    await server.stop();
    assert.equal(code, 0, output);
  });

  async function certifiedHost(fields: Readonly<Record<string, unknown>>): Promise<SshServer> {
    const { path, line } = keys[0] as (typeof keys)[number];
    const certificate = await certify('host', authorities[0] as Authority, line, fields);
    const { authorizedKeys } = login();
    return await SshServer.start({ hostKeys: [{ path, certificate }], authorizedKeys });
  }

  async function refusedFor(server: SshServer, options: readonly string[], reason: RegExp): Promise<void> {
    const { code, output } = await ssh(server.port, [login().identity, ...options]);
    await server.stop();
    assert.equal(code, 255, output);
    assert.match(output, reason);
    assert.match(output, /Host key verification failed/);
  }
});

describe('user certificates', { skip: sshServerMissing }, () => {
  let server: SshServer;
  let known: string[];
  before(async () => {
    const { path, line } = keys[0] as (typeof keys)[number];
    const userAuthorities = authorities.map((authority) => authority.public_key);
    server = await SshServer.start({ hostKeys: [{ path }], userAuthorities });
    known = [`UserKnownHostsFile=${file(`${NAME} ${line}`)}`, `HostKeyAlias=${NAME}`];
  });
  after(() => server?.stop());

  async function logIn(
    key: (typeof keys)[number],
    authority: Authority,
    fields: Readonly<Record<string, unknown>> = {},
    { port } = server,
  ) {
    const certificate = file(await certify('user', authority, key.line, fields));
    return await ssh(port, [...known, `IdentityFile=${key.path}`, `CertificateFile=${certificate}`]);
  }

  test('sshd that trusts the authority lets in, for every pair of authority and key', async () => {
    await Promise.all(
      authorities.map(async (authority) => {
        for (const key of keys) {
          const { code, output } = await logIn(key, authority);
          assert.equal(code, 0, `${key.algorithm} by ${authority.public_key}:\n${output}\n${server.log}`);
          assert.match(output, /^in$/m);
        }
      }),
    );
  });

  for (const [what, fields, reason] of [
    ['expired', { valid_after: hour(-2), valid_until: hour(-1) }, /Certificate invalid: expired/],
    ['not valid yet', { valid_after: hour(1), valid_until: hour(2) }, /Certificate invalid: not yet valid/],
    ['of another user', { principals: ['somebody-else'] }, /Certificate invalid: name is not a listed/],
    [
      'for other addresses',
      { critical_options: { 'source-address': '192.0.2.0/24' } },
      /not permitted to authenticate from 127\.0\.0\.1|not from a permitted source address/i,
    ],
  ] as const) {
    test(`sshd refuses a certificate that is ${what}`, async () => {
      const { code, output } = await logIn(
        keys[0] as (typeof keys)[number],
        authorities[0] as Authority,
        fields,
      );
      assert.equal(code, 255, output);
      assert.match(output, /Permission denied/);
      await server.logged(reason);
    });
  }

  test('sshd refuses a certificate of an authority that it does not trust', async () => {
    const other = await created<Authority>('/ssh_certificate_authorities', { private_key_type: 'ecdsa' });
    const key = makeSshKey(directory, 'of-nobody', keyTypes['ssh-ed25519']);
    const { code, output } = await logIn({ algorithm: 'ssh-ed25519', ...key }, other);
    assert.equal(code, 255, output);
    assert.match(output, /Permission denied/);
  });

  test('a certificate without principals counts where authorized_keys names its authority, and only there', async () => {
    const [authority, key] = [authorities[0] as Authority, keys[0] as (typeof keys)[number]];
    const anybody = { principals: [] };
    const { code, output } = await logIn(key, authority, anybody);
    assert.equal(code, 255, output);
    await server.logged(/Certificate lacks principal list/);
    const authorizedKeys = [`cert-authority ${authority.public_key}`];
    const own = await SshServer.start({ hostKeys: [{ path: key.path }], authorizedKeys });
    try {
      const accepted = await logIn(key, authority, anybody, own);
      assert.equal(accepted.code, 0, `${accepted.output}\n${own.log}`);
    } finally {
      await own.stop();
    }
  });

  test('a forced command runs instead of the one that was asked for', async () => {
    const fields = { critical_options: { 'force-command': 'echo forced' } };
    const { code, output } = await logIn(
      keys[0] as (typeof keys)[number],
      authorities[0] as Authority,
      fields,
    );
    assert.equal(code, 0, output);
    assert.match(output, /^forced$/m);
    assert.doesNotMatch(output, /^in$/m);
  });
});

test('an authority that has signed is refused its deletion until its certificates are gone', {
  skip: sshServerMissing,
}, async () => {
  const authority = await created<Authority>('/ssh_certificate_authorities', {});
  const path = `/ssh_certificate_authorities/${authority.id}`;
  const [key] = keys;
  const { id } = await created<{ id: string }>('/ssh_host_certificates', {
    ssh_certificate_authority_id: authority.id,
    public_key: key?.line,
  });
  const refused = await platform.api('DELETE', path);
  assert.equal(refused.status, 409);
  assert.equal(refused.json.error_code, 'ERR_SERVICE_1964');
  assert.equal(refused.json.details.used_by, id);
  assert.equal((await platform.api('DELETE', `/ssh_host_certificates/${id}`)).status, 204);
  assert.equal((await platform.api('DELETE', path)).status, 204);
});

test('keys of authorities survive a restart', { skip: sshServerMissing }, async () => {
  await platform.restart();
  const { path, line } = keys[0] as (typeof keys)[number];
  const authority = authorities[0] as Authority;
  const certificate = await certify('host', authority, line);
  const server = await SshServer.start({ hostKeys: [{ path, certificate }], authorizedKeys: [line] });
  const { code, output } = await ssh(server.port, [`IdentityFile=${path}`, ...knows(authority)]);
  await server.stop();
  assert.equal(code, 0, output);
});
