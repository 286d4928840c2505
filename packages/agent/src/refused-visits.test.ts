import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RefusedVisit, readRefusals, refusedText } from './refused-visits.ts';

const sent = {
  ...{ Id: 'one', Time: '2030-01-02T03:04:05.678Z', ClientAddr: '192.0.2.1:5000', Host: 'a.example.com' },
  ...{ Method: 'GET', Path: '/page', Status: 403, ErrorCode: 'ERR_1', Reason: 'No.', Module: 'oidc' },
};

test('a report is read by its tunnels, with the number of what it leaves out', () => {
  const report = { Refusals: [sent, { ...sent, Status: 0 }], LeftOut: [{ Id: 'other', Count: 7 }] };
  const read = readRefusals(report);
  const { visits, leftOut } = read.get('one') ?? assert.fail();
  assert.deepEqual(visits[0], {
    ...{ at: Date.parse(sent.Time), client: '192.0.2.1:5000', host: 'a.example.com', method: 'GET' },
    ...{ path: '/page', status: 403, code: 'ERR_1', reason: 'No.', module: 'oidc' },
  });
  assert.deepEqual([visits[1]?.status, leftOut], [null, 0]);
  assert.deepEqual(read.get('other'), { visits: [], leftOut: 7 });
});

test('a report that is not what it should be is read as far as it goes, and no further than a bound', () => {
  for (const report of [null, 'text', {}, { Refusals: 'all', LeftOut: {} }])
    assert.equal(readRefusals(report).size, 0);
  const odd = readRefusals({ Refusals: [null, { Id: 'one', Time: 'now', Status: -1, Path: 5 }] });
  const [visit] = odd.get('one')?.visits ?? [];
  assert.deepEqual([visit?.status, visit?.path], [null, '']);
  const entries = Array.from({ length: 10_000 }, () => ({ ...sent, Reason: 'x'.repeat(100_000) }));
  const { visits } = readRefusals({ Refusals: entries }).get('one') ?? assert.fail();
  assert.equal(visits.length, 256);
  assert.equal(visits[0]?.reason.length, 1_024);
});

test('text of a visitor steers no terminal', () => {
  const visit: RefusedVisit = {
    ...{ at: 0, client: '192.0.2.1:1', host: 'a\u001b[2J', method: 'GET\u0007', path: '/\u001b]0;x\u0007' },
    ...{ status: 403, code: '', reason: 'line\nline\u202e', module: '' },
  };
  for (const shown of [visit, { ...visit, method: '' }])
    for (const text of Object.values(refusedText(shown))) assert.doesNotMatch(text, /\p{Cc}|\u202e/u);
});

test('a connection to a TCP address, which has no name, is a sentence without a gap', () => {
  const [visit] = readRefusals({ Refusals: [{ Id: 'one', ClientAddr: '192.0.2.1:1', Reason: 'No.' }] }).get(
    'one',
  )!.visits;
  assert.equal(refusedText(visit!).what, 'connection');
  assert.equal(
    refusedText({ ...visit!, host: 'a.example.com:8443' }).what,
    'connection to a.example.com:8443',
  );
});
