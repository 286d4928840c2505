import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createdAt, IdSequence, parseId, suffixOf } from './id.ts';

const zeros = (bytes: number) => new Uint8Array(bytes);
const ones = (bytes: number) => new Uint8Array(bytes).fill(0xff);

describe('ids', () => {
  test('have the published shape: the reference KSUID of a known time and payload', () => {
    const payload = Buffer.from('b5a1cd34b5f99d1154fb6853345c9735', 'hex');
    const ids = new IdSequence({ now: () => (1_400_000_000 + 107_608_047) * 1000, random: () => payload });
    assert.equal(ids.next('rd'), 'rd_0ujtsYcgvSTl8PAuAdqWYSMnLOv');
    assert.equal(ids.last, '0ujtsYcgvSTl8PAuAdqWYSMnLOv');
  });

  test('increase strictly whatever the clock does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4_102_444_800_000 }), { minLength: 2 }),
        fc.infiniteStream(fc.uint8Array({ minLength: 16, maxLength: 16 })),
        (times, payloads) => {
          let at = 0;
          const ids = new IdSequence({
            now: () => times[at] ?? 0,
            random: () => payloads.next().value ?? zeros(16),
          });
          let previous = '';
          for (; at < times.length; at++) {
            const id = ids.next('ak');
            assert.ok(id > previous, `${id} does not follow ${previous}`);
            assert.deepEqual(parseId(id), { prefix: 'ak', suffix: ids.last });
            previous = id;
          }
        },
      ),
    );
  });

  test('carry into the seconds when the payload is used up, and stay in order when the clock gets there', () => {
    let now = 1_700_000_000_000;
    let random = ones;
    const ids = new IdSequence({ now: () => now, random: (bytes) => random(bytes) });
    const first = ids.next('ak');
    const carried = ids.next('ak');
    random = zeros;
    now += 1000;
    const next = ids.next('ak');
    assert.ok(first < carried && carried < next);
    assert.equal(createdAt(first).getTime() + 1000, createdAt(carried).getTime());
    assert.deepEqual(createdAt(next), createdAt(carried));
  });

  test('continue after the last one of an earlier run whose clock was ahead', () => {
    const earlier = new IdSequence({ now: () => 1_900_000_000_000, random: randomBytes });
    const last = earlier.next('ak');
    const later = new IdSequence({ now: () => 1_800_000_000_000, random: randomBytes, last: suffixOf(last) });
    assert.ok(later.next('ak') > last);
  });

  test('carry their time in whole seconds, at the first and the last moment of one too', () => {
    const edge = fc.constantFrom(zeros(16), ones(16));
    const payload = fc.oneof(edge, fc.uint8Array({ minLength: 16, maxLength: 16 }));
    fc.assert(
      fc.property(
        fc.integer({ min: 1_400_000_000, max: 1_400_000_000 + 2 ** 32 - 1 }),
        payload,
        (seconds, bytes) => {
          const ids = new IdSequence({ now: () => seconds * 1000, random: () => bytes });
          assert.equal(createdAt(ids.next('edgtls')).getTime(), seconds * 1000);
        },
      ),
    );
  });

  test('stand at the nearest time that they can carry when the clock is outside it', () => {
    assert.equal(new IdSequence({ now: () => 0, random: zeros }).next('a'), `a_${'0'.repeat(27)}`);
    const far = new IdSequence({ now: () => Number.MAX_SAFE_INTEGER, random: ones });
    assert.equal(far.next('a'), 'a_aWgEPTl1tmebfsQzFP4bxwgy80V');
  });

  test('are refused in any other shape', () => {
    const suffix = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
    assert.deepEqual(parseId(`k8sop_${suffix}`), { prefix: 'k8sop', suffix });
    for (const text of [
      '',
      suffix,
      `_${suffix}`,
      `AK_${suffix}`,
      `ak_${suffix}0`,
      `ak_${suffix.slice(1)}`,
      `ak_${suffix}\n`,
      `ak_ak_${suffix}`,
      `ak_${suffix.slice(1)}-`,
      'ak_aWgEPTl1tmebfsQzFP4bxwgy80W',
      'ak_zzzzzzzzzzzzzzzzzzzzzzzzzzz',
    ]) {
      assert.equal(parseId(text), null, text);
    }
  });
});
