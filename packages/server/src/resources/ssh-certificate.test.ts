import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ErrorName } from '../errors/catalogue.ts';
import { encodePublicKey, formatPublicKey } from '../pki/ssh/public-key.ts';
import { Keys, sshKeygenMissing } from '../pki/ssh/ssh-keygen.fixture.ts';
import type { JsonObject } from '../store/store.ts';
import { type Platform, refused, startPlatform } from './engine.fixture.ts';
import { newSshKey } from './ssh-keys.fixture.ts';

const nobody = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const keys = new Keys();
let platform: Platform;
let authority = '';
before(async () => {
  platform = await startPlatform();
  authority = (await platform.create('ssh_certificate_authority', {})).id;
});
after(async () => {
  keys.remove();
  await platform.close();
});

function body(fields: JsonObject = {}): JsonObject {
  return { ssh_certificate_authority_id: authority, public_key: newSshKey(), ...fields };
}

async function serialOf(id: string): Promise<string> {
  const document = await platform.store.get(id);
  assert.ok(document?.kind === 'ssh_host_certificate' || document?.kind === 'ssh_user_certificate');
  return document.body.serial;
}

function listed(certificate: unknown): string[] {
  return keys
    .read(['-L'], String(certificate))
    .split('\n')
    .map((line) => line.trim());
}

const kinds: readonly {
  readonly kind: string;
  readonly unknown: ErrorName;
  readonly never: ErrorName;
  readonly lifetime: number;
}[] = [
  {
    kind: 'ssh_host_certificate',
    unknown: 'sshHostAuthorityUnknown',
    never: 'sshHostValidityEmpty',
    lifetime: 365,
  },
  {
    kind: 'ssh_user_certificate',
    unknown: 'sshUserAuthorityUnknown',
    never: 'sshUserValidityEmpty',
    lifetime: 1,
  },
];

for (const { kind, unknown, never, lifetime } of kinds) {
  describe(kind, () => {
    test('the certificate is named by its id, and says what the resource says', {
      skip: sshKeygenMissing,
    }, async () => {
      const fields = { principals: ['a.example.com', 'b'], valid_after: '2030-01-02T04:04:05.9+01:00' };
      const { id, certificate, valid_after, valid_until } = await platform.create(
        kind,
        body({ ...fields, valid_until: '2031-01-02T03:04:05Z' }),
      );
      assert.deepEqual([valid_after, valid_until], ['2030-01-02T03:04:05Z', '2031-01-02T03:04:05Z']);
      assert.ok(String(certificate).endsWith(` ${id}`));
      const lines = listed(certificate);
      assert.ok(lines.includes(`Key ID: "${id}"`));
      assert.ok(lines.includes('Valid: from 2030-01-02T03:04:05 to 2031-01-02T03:04:05'));
      const at = lines.indexOf('Principals:');
      assert.deepEqual(lines.slice(at + 1, at + 3), fields.principals);
    });

    test('it is valid from now on, for as long as its kind is', async () => {
      const before = Math.floor(Date.now() / 1000) * 1000;
      const { valid_after, valid_until } = await platform.create(kind, body());
      const start = Date.parse(String(valid_after));
      assert.ok(start >= before && start <= Date.now());
      const days = (Date.parse(String(valid_until)) - start) / 86_400_000;
      assert.ok(days === lifetime || (lifetime === 365 && days === 366), String(days));
    });

    test('serials are not zero and never the same', { skip: sshKeygenMissing }, async () => {
      const serials = new Set<string>();
      for (let count = 0; count < 20; count++) {
        const { id } = await platform.create(kind, body());
        serials.add(await serialOf(id));
      }
      assert.equal(serials.size, 20);
      assert.ok(!serials.has('0'));
      const { id, certificate } = await platform.create(kind, body());
      const serial = await serialOf(id);
      assert.ok(listed(certificate).includes(`Serial: ${serial}`));
      assert.deepEqual(
        (await platform.store.findName({ kind: 'ssh_serial', value: `${authority}/${serial}` }))?.id,
        id,
      );
    });

    test('the public key comes back byte for byte as it was sent', { skip: sshKeygenMissing }, async () => {
      const sent = `${newSshKey('me@laptop')} \n`;
      const { id, public_key, certificate } = await platform.create(kind, body({ public_key: sent }));
      assert.equal(public_key, sent);
      assert.equal((await platform.get(kind, id)).public_key, sent);
      assert.ok(listed(certificate).includes(`Key ID: "${id}"`));
    });

    test('a time that is none, or that ends before it begins, is refused', async () => {
      for (const text of [' ', 'tomorrow', '2030-02-30T00:00:00Z', '1960-01-01T00:00:00Z']) {
        for (const name of ['valid_after', 'valid_until']) {
          await refused(platform.create(kind, body({ [name]: text })), 'timestampInvalid', {
            field: `/${name}`,
          });
        }
      }
      const moment = '2030-01-01T00:00:00Z';
      const field = { field: '/valid_until' };
      for (const times of [
        { valid_after: moment, valid_until: moment },
        { valid_after: moment, valid_until: '2029-12-31T23:59:59Z' },
        { valid_until: '2020-01-01T00:00:00Z' },
        { valid_after: '2100-01-01T00:00:00Z' },
      ]) {
        await refused(platform.create(kind, body(times)), never, field);
      }
      await platform.create(kind, body({ valid_after: moment, valid_until: '2030-01-01T00:00:01Z' }));
      await platform.create(
        kind,
        body({ valid_after: '1970-01-01T00:00:00Z', valid_until: '9999-12-31T23:59:59Z' }),
      );
    });

    test('the authority must be one of the account', async () => {
      const foreign = await platform.create('ssh_certificate_authority', {}, platform.stranger);
      const field = { field: '/ssh_certificate_authority_id' };
      const by = (id: string | null) => platform.create(kind, body({ ssh_certificate_authority_id: id }));
      const [one, other] = [
        await refused(by(foreign.id), unknown, field),
        await refused(by(`sshca_${nobody}`), unknown, field),
      ];
      assert.equal(one.message.replace(foreign.id, ''), other.message.replace(`sshca_${nobody}`, ''));
      await refused(by(`ca_${nobody}`), 'referenceOfWrongKind', field);
      await refused(by(''), 'fieldMissing', field);
      await refused(by(null), 'fieldMissing', field);
    });

    test('the key must be one that can be certified', async () => {
      const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
      const weak = encodePublicKey(publicKey);
      assert.ok(weak);
      const { certificate } = await platform.create(kind, body());
      const cases: readonly (readonly [string | null, ErrorName])[] = [
        [null, 'sshSubjectMissing'],
        ['', 'sshSubjectMissing'],
        ['ssh-ed25519 AAAA', 'sshSubjectMalformed'],
        [`${newSshKey()}\n${newSshKey()}`, 'sshSubjectMalformed'],
        [formatPublicKey(weak), 'sshSubjectTooShort'],
        [String(certificate), 'sshSubjectTypeUnsupported'],
      ];
      for (const [public_key, error] of cases) {
        await refused(platform.create(kind, body({ public_key })), error, { field: '/public_key' });
      }
    });

    test('principals are limited to what OpenSSH reads and tools can list', {
      skip: sshKeygenMissing,
    }, async () => {
      const many = Array.from({ length: 256 }, (_, index) => `host${index}`);
      const { certificate } = await platform.create(kind, body({ principals: many }));
      assert.ok(listed(certificate).includes('host255'));
      const details = { field: '/principals', limit: 256 };
      await refused(
        platform.create(kind, body({ principals: [...many, 'x'] })),
        'sshPrincipalCount',
        details,
      );
      const long = 'ü'.repeat(127);
      await platform.create(kind, body({ principals: [long] }));
      for (const wrong of ['', 'a b', 'a,b', 'a\nb', 'a\0b', '\u007f', '\ud800', `${long}ü`]) {
        const at = { field: '/principals/1' };
        await refused(platform.create(kind, body({ principals: ['a', wrong] })), 'sshPrincipalInvalid', at);
      }
    });

    test('only the texts can be changed afterwards, and the certificate stays', async () => {
      const { id, certificate } = await platform.create(kind, body());
      for (const field of ['principals', 'valid_until', 'public_key', 'ssh_certificate_authority_id']) {
        await refused(platform.update(kind, id, { [field]: 'x' }), 'fieldUnknown', { field: `/${field}` });
      }
      assert.equal((await platform.update(kind, id, { metadata: 'm' })).certificate, certificate);
    });
  });
}

test('a host is certified in lower case, as ssh compares it', { skip: sshKeygenMissing }, async () => {
  const { principals, certificate } = await platform.create(
    'ssh_host_certificate',
    body({ principals: ['Host.Example.com'] }),
  );
  assert.deepEqual(principals, ['Host.Example.com']);
  assert.ok(listed(certificate).includes('host.example.com'));
});

describe('options of user certificates', () => {
  const kind = 'ssh_user_certificate';

  test('they stand in the certificate as given', { skip: sshKeygenMissing }, async () => {
    const sources = '192.0.2.0/24,198.51.100.7,2001:db8::/32';
    const critical_options = {
      'force-command': '/bin/true',
      'source-address': sources,
      'verify-required': '',
    };
    const extensions = { 'permit-agent-forwarding': '', 'login@example.com': 'alice' };
    const made = await platform.create(kind, body({ critical_options, extensions }));
    assert.deepEqual([made.critical_options, made.extensions], [critical_options, extensions]);
    const lines = listed(made.certificate);
    assert.ok(lines.includes('force-command /bin/true') && lines.includes('permit-agent-forwarding'));
    assert.ok(!lines.includes('permit-pty'));
  });

  test('empty extensions permit nothing; left out, the usual two', { skip: sshKeygenMissing }, async () => {
    const { certificate } = await platform.create(kind, body({ extensions: {} }));
    assert.ok(listed(certificate).includes('Extensions: (none)'));
    const lines = listed((await platform.create(kind, body())).certificate);
    assert.ok(lines.includes('permit-pty') && lines.includes('permit-user-rc'));
  });

  test('what sshd would refuse is refused', async () => {
    for (const [field, options] of [
      ['critical_options', { 'force-command': '' }],
      ['critical_options', { 'source-address': '' }],
      ['critical_options', { 'source-address': 'office' }],
      ['critical_options', { 'source-address': '192.0.2.0/24, 198.51.100.7' }],
      ['critical_options', { 'source-address': '192.0.2.1/24' }],
      ['critical_options', { 'verify-required': 'yes' }],
      ['critical_options', { 'force-command': 'a\0b' }],
      ['extensions', { 'permit-pty': 'yes' }],
      ['extensions', { '': '' }],
      ['extensions', { 'a b': '' }],
      ['extensions', { ['x'.repeat(256)]: '' }],
      ['extensions', { x: 'y'.repeat(4097) }],
    ] as const) {
      await refused(platform.create(kind, body({ [field]: options })), 'sshOptionInvalid', {
        field: `/${field}`,
      });
    }
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`o${index}`, '']));
    const details = { field: '/extensions', limit: 32 };
    await refused(platform.create(kind, body({ extensions: many })), 'sshOptionCount', details);
  });
});
