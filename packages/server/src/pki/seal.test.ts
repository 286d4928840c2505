import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../test/harness/any-character.ts';
import { SealError, Sealer } from './seal.ts';

describe('a sealed secret', () => {
  const sealer = new Sealer(randomBytes(32));

  test('opens to what was sealed, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string(), (plain, context) => {
        const sealed = sealer.seal(plain, context);
        assert.match(sealed, /^v2\.[A-Za-z0-9_-]{8}\.[A-Za-z0-9_-]+$/);
        assert.equal(sealer.open(sealed, context), plain);
      }),
    );
  });

  test('does not open for another place or under another key', () => {
    const sealed = sealer.seal('secret', 'local_ca/private_key');
    assert.throws(() => sealer.open(sealed, 'local_ca/other'), SealError);
    assert.throws(() => new Sealer(randomBytes(32)).open(sealed, 'local_ca/private_key'), SealError);
  });

  test('does not open once a bit of it has changed', () => {
    const sealed = sealer.seal('secret', 'c');
    const [version, keyId, text = ''] = sealed.split('.');
    const bytes = Buffer.from(text, 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        assert.throws(
          () => sealer.open(`${version}.${keyId}.${changed.toString('base64url')}`, 'c'),
          SealError,
        );
      }),
    );
  });

  test('of an unknown shape gives the same typed error', () => {
    for (const text of [
      '',
      'v1.',
      'v1.AAAA',
      'v2.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      'plain text',
      'v1.§§',
    ]) {
      assert.throws(() => sealer.open(text, 'c'), SealError, text);
    }
  });

  test('of version 1, which names no key, opens under whichever of the keys sealed it', () => {
    const master = Buffer.alloc(32, 7);
    // As the first version wrote it.
    const sealed = 'v1.4yUH0QAVNmaf0k86x5qAVoiyyPn7SxHt-1G0QzSGTP84X5ZfAQ0KcAI';
    assert.equal(new Sealer(master).open(sealed, 'local_ca'), 'an old secret');
    const rotated = new Sealer(randomBytes(32), randomBytes(32), master);
    assert.equal(rotated.open(sealed, 'local_ca'), 'an old secret');
    assert.ok(!rotated.isCurrent(sealed));
    assert.throws(() => new Sealer(randomBytes(32)).open(sealed, 'local_ca'), SealError);
    assert.throws(() => rotated.open(sealed, 'elsewhere'), SealError);
  });

  test('opens after another key has taken its place, for as long as the old one is kept', () => {
    const [old, next] = [randomBytes(32), randomBytes(32)];
    const rotating = new Sealer(old);
    const before = rotating.seal('secret', 'c');
    assert.ok(rotating.isCurrent(before));
    rotating.use(next, old);
    const after = rotating.seal('secret', 'c');
    assert.deepEqual([rotating.isCurrent(before), rotating.isCurrent(after)], [false, true]);
    assert.equal(rotating.open(before, 'c'), 'secret');
    rotating.use(next);
    assert.equal(rotating.open(after, 'c'), 'secret');
    assert.throws(() => rotating.open(before, 'c'), SealError);
    assert.equal(new Sealer(old, next).open(after, 'c'), 'secret', 'a daemon that does not seal with it yet');
    for (const master of [old, next])
      assert.ok(!after.includes(master.toString('hex')) && !after.includes(master.toString('base64url')));
  });

  test('looks different each time', () => {
    assert.notEqual(sealer.seal('secret', 'c'), sealer.seal('secret', 'c'));
  });
});

test('derived keys are stable, and differ by purpose and by master key', () => {
  const master = randomBytes(32);
  const key = new Sealer(master).derive('mac');
  assert.equal(key.length, 32);
  assert.deepEqual(key, new Sealer(master).derive('mac'));
  assert.notDeepEqual(key, new Sealer(master).derive('other'));
  assert.notDeepEqual(key, new Sealer(randomBytes(32)).derive('mac'));
});
