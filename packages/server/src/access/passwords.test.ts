import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareBcrypt, isBcryptHash } from './bcrypt.ts';
import { clearLogin, digestOf, hashedLogin, isLogin, useDigestKey } from './passwords.ts';

/** Hashes in the tests of crypt_blowfish: "U*U" and "U*U*". */
const hashes = [
  '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
  '$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK',
] as const;

test('a name and a password are right only together, and what is kept of them is no clear text', async () => {
  const logins = [clearLogin('ada', 'lovelace'), clearLogin('ad', 'alovelace'), clearLogin('ünï', 'cödé')];
  assert.doesNotMatch(JSON.stringify(logins), /lovelace/);
  const never = () => assert.fail('there is no hash');
  for (const [user, password, expected] of [
    ['ada', 'lovelace', true],
    ['ad', 'alovelace', true],
    ['ünï', 'cödé', true],
    ['a', 'dalovelace', false],
    ['ada', 'Lovelace', false],
    ['ada', '', false],
    ['', 'lovelace', false],
  ] as const) {
    assert.equal(await isLogin(logins, user, password, never), expected, `${user}:${password}`);
  }
  assert.equal(isLogin([], 'ada', 'lovelace', never), false);
});

test('a hashed password is compared with the hash of its own name, and one of an unknown name with any', async () => {
  const logins = [hashedLogin('ada', hashes[0]), hashedLogin('bob', hashes[1]), clearLogin('eve', 'U*U')];
  const compared: string[] = [];
  const compare = (password: string, hash: string) => {
    compared.push(hash);
    return compareBcrypt(password, hash, '192.0.2.1');
  };
  assert.equal(await isLogin(logins, 'ada', 'U*U', compare), true);
  assert.equal(await isLogin(logins, 'bob', 'U*U', compare), false);
  assert.equal(await isLogin(logins, 'bob', 'U*U*', compare), true);
  assert.equal(await isLogin(logins, 'nobody', 'U*U', compare), false);
  assert.equal(await isLogin(logins, 'eve', 'U*U', compare), true);
  assert.deepEqual(compared, [hashes[0], hashes[1], hashes[1], hashes[0]]);
});

test('what is no hash with a bearable cost is none', () => {
  for (const hash of hashes) assert.ok(isBcryptHash(hash));
  for (const text of [
    '',
    'secret',
    `${hashes[0]}x`,
    hashes[0].replace('$05', '$31'),
    hashes[0].replace('$2a', '$1'),
  ]) {
    assert.ok(!isBcryptHash(text), text);
  }
});

test('comparisons are answered each with its own outcome, and beyond a bound not at all', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      compareBcrypt(at % 2 === 0 ? 'U*U' : 'wrong', hashes[0], '192.0.2.1'),
    ),
  );
  const expected = Array.from({ length: 40 }, (_, at) => (at < 32 ? at % 2 === 0 : null));
  assert.deepEqual(outcomes, expected);
});

test('a client that tries many passwords does not delay the logins of others', async () => {
  const done: string[] = [];
  const outcomes = new Map<string, (boolean | null)[]>();
  const attempt = async (source: string, password: string): Promise<void> => {
    const outcome = await compareBcrypt(password, hashes[0], source);
    done.push(source);
    outcomes.set(source, [...(outcomes.get(source) ?? []), outcome]);
  };
  const flood = Array.from({ length: 40 }, () => attempt('192.0.2.1', 'wrong'));
  const visitors = ['198.51.100.1', '198.51.100.2'].map((source) => attempt(source, 'U*U'));
  await Promise.all([...flood, ...visitors]);
  assert.deepEqual([outcomes.get('198.51.100.1'), outcomes.get('198.51.100.2')], [[true], [true]]);
  const compared = done.filter((_, at) => at >= 10);
  assert.equal(outcomes.get('192.0.2.1')?.filter((outcome) => outcome === false).length, 30);
  assert.ok(compared.indexOf('198.51.100.2') < 4, String(compared));
});

test('the borders of texts count in a digest', () => {
  assert.notEqual(digestOf('a', 'bc'), digestOf('ab', 'c'));
});

test('digests are the same in daemons with one key, and in no others', () => {
  const before = digestOf('ada', 'lovelace');
  useDigestKey(Buffer.alloc(32, 1));
  const one = digestOf('ada', 'lovelace');
  useDigestKey(Buffer.alloc(32, 2));
  const other = digestOf('ada', 'lovelace');
  useDigestKey(Buffer.alloc(32, 1));
  assert.equal(digestOf('ada', 'lovelace'), one);
  assert.equal(new Set([before, one, other]).size, 3);
});
