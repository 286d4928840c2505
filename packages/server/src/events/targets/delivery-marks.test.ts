import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Hostname } from '../../core/names/hostname.ts';
import { DeliveryMarks } from './delivery-marks.ts';

const DOMAIN = 'shared.test' as Hostname;
const NOW = Date.parse('2030-01-01T00:00:00Z');

/** Returns the marks of an installation with this secret, at this time. */
function marksOf(secret: string, now = NOW): DeliveryMarks {
  const derive = (purpose: string) => createHash('sha256').update(`${secret}/${purpose}`).digest();
  return new DeliveryMarks({ sealer: { derive }, domain: DOMAIN, now: () => now });
}

const here = marksOf('here');
const mark = here.of('ac_1');

test('a mark is known beside those of others, wherever proxies put them', () => {
  assert.equal(here.isAmong([mark], 'ac_1'), true);
  assert.equal(here.isAmong([`${mark}, ${DOMAIN}, cdn.example`], 'ac_1'), true);
  assert.equal(here.isAmong(['cdn.example; x=1', `other.example, ${mark}; y="2"`], 'ac_1'), true);
  assert.equal(here.isAmong([`${here.of('ac_2')}, ${mark}`], 'ac_1'), true);
  assert.equal(marksOf('here', NOW + 60_000).isAmong([mark], 'ac_1'), true);
  assert.equal(marksOf('here', NOW - 60_000).isAmong([mark], 'ac_1'), true);
});

test('no mark stands for another account, another installation or another time, and none can be made up', () => {
  const [, at = '', mac = ''] = /=([0-9]+)\.(.+)$/.exec(mark) ?? [];
  assert.equal(here.isAmong([mark], 'ac_2'), false);
  assert.equal(marksOf('there').isAmong([mark], 'ac_1'), false);
  assert.equal(marksOf('here', NOW + 3_600_000).isAmong([mark], 'ac_1'), false);
  assert.equal(marksOf('here', NOW - 3_600_000).isAmong([mark], 'ac_1'), false);
  for (const made of [
    ...['', DOMAIN, `${DOMAIN}; delivery=`, `${DOMAIN}; delivery=${at}`, `${DOMAIN}; delivery=${at}.`],
    ...[`${DOMAIN}; delivery=${Number(at) + 1}.${mac}`, `${DOMAIN}; delivery=${at}.${'A'.repeat(43)}`],
    ...[`${DOMAIN}; delivery=.${mac}`, `${DOMAIN}; delivery=${at}.${mac}A`],
  ])
    assert.equal(here.isAmong([made], 'ac_1'), false, made);
});

test('a visitor who sends marks without end has a few of them looked at', () => {
  let macs = 0;
  const derive = () => {
    macs += 1;
    return Buffer.alloc(32);
  };
  const counting = new DeliveryMarks({ sealer: { derive }, domain: DOMAIN, now: () => NOW });
  const made = `${DOMAIN}; delivery=${NOW / 1000}.${'A'.repeat(43)}`;
  assert.equal(counting.isAmong([Array(1000).fill(made).join()], 'ac_1'), false);
  assert.equal(macs, 8);
});
