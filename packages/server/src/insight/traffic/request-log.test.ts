import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { parseId } from '../../core/id.ts';
import { visit } from '../../edge/sites/exchange-record.fixture.ts';
import type { ExchangeRecord } from '../../edge/sites/exchange-record.ts';
import type { JsonObject } from '../../store/store.ts';
import { RequestLog, type RequestLogOptions } from './request-log.ts';

const URI = 'https://api.example.com/traffic/requests';
const all = { limit: 10_000, has: () => true };

function startLog(options: Partial<RequestLogOptions> = {}) {
  const clock = { now: Date.UTC(2030, 0, 1), uptime: 0 };
  const log = new RequestLog({
    ...{ choice: 'redacted', node: 'eu-1', uri: URI, errorPrefix: 'ERR_' },
    ...{ now: () => clock.now, uptime: () => clock.uptime, random: randomBytes },
    ...options,
  });
  const observe = (more: Partial<ExchangeRecord> = {}) => log.observe({ ...visit, ...more });
  const fail = (more: Partial<ExchangeRecord> = {}) => observe({ status: 502, ...more });
  const list = (account = 'ac_1') => log.list(account, all);
  return { clock, log, observe, fail, list };
}

const statusesOf = (entries: readonly JsonObject[]) => entries.map(({ status_code: status }) => status);

test('failures are listed always, and successes while a client reads the list', () => {
  const { clock, log, observe, list } = startLog();
  observe();
  observe({ status: 404 });
  observe({ status: 0 });
  observe({ status: 200, error: 'upstreamClosed' });
  observe({ kind: 'bytes', status: 0, account: 'ac_3' });
  observe({ kind: 'bytes', status: 0, account: 'ac_3', error: 'sourceRefused' });
  assert.deepEqual(statusesOf(list()), [200, 0, 404]);
  assert.equal(list('ac_3').length, 1);
  log.watch('ac_1', 60_000);
  assert.deepEqual([log.wants('ac_1'), log.wants('ac_2')], [true, false]);
  observe({ status: 201 });
  observe({ account: 'ac_2' });
  assert.deepEqual(statusesOf(list()), [201, 200, 0, 404]);
  clock.uptime = 60_000;
  observe({ status: 202 });
  assert.deepEqual(statusesOf(list()), [201, 200, 0, 404]);
  assert.deepEqual(list('ac_2'), []);
});

test('an entry has the facts of the request in the form of the API', () => {
  const { log, fail, list } = startLog();
  fail({
    ...{ path: '/caf\xc3\xa9', query: 'token=secret&page=2&bare', error: 'sourceRefused', status: 403 },
    ...{ reason: 'no rule\nof "office" allows it', decisions: new Map([['ip_restriction', 'block']]) },
  });
  const [entry] = list();
  const { id, error, ...rest } = entry!;
  assert.ok(parseId(String(id)) !== null && String(id).startsWith('req_'), String(id));
  assert.match(String(error), /a\.example\.com/);
  assert.deepEqual(rest, {
    uri: `${URI}/${id}`,
    end_ts: '2030-01-01T00:00:00.000Z',
    ...{ kind: 'http', site: 'edghts_1', host: 'a.example.com', route: 'edghtsrt_1', backend: 'bkdtg_1' },
    ...{ served_by: 'tn_1', node: 'eu-1', method: 'GET', path: '/café', status_code: 403 },
    query: 'token=&page=&[hidden]',
    client_ip: '192.0.2.0/24',
    tls: { version: 'TLSv1.3', cipher_suite: 'TLS_AES_128_GCM_SHA256', client_certificate_cn: '' },
    ...{ bytes_in: 1, bytes_out: 2, duration_ms: 1.235, first_byte_ms: 1 },
    decisions: [{ module: 'ip_restriction', decision: 'block' }],
    error_code: 'ERR_3205',
    reason: 'no rule\\x0aof "office" allows it',
    upstream_fault: '',
    has_bodies: false,
  });
  assert.deepEqual(log.find('ac_1', String(id)), entry);
  assert.equal(log.find('ac_2', String(id)), null);
});

test('the operator can show queries and addresses, or record nothing', () => {
  const full = startLog({ choice: 'full' });
  full.fail({ query: 'token=secret' });
  full.fail({ query: 'code=secret', path: '/underpass/callback' });
  assert.deepEqual(
    full.list().map(({ query, client_ip: ip }) => [query, ip]),
    [
      ['[hidden]', '192.0.2.1'],
      ['token=secret', '192.0.2.1'],
    ],
  );
  const off = startLog({ choice: 'off' });
  off.log.watch('ac_1', 1_000);
  off.fail();
  assert.deepEqual([off.list(), off.log.bytes, off.log.wants('ac_1')], [[], 0, false]);
});

test('ids order entries of both kinds by their end, also if the clock moves back', () => {
  const { clock, log, observe, list } = startLog();
  log.watch('ac_1', 60_000);
  for (const [index, step] of [0, 0, 5, -1000, 0, 2000, 1].entries()) {
    clock.now += step;
    observe({ status: index % 2 === 0 ? 500 + index : 200 + index });
  }
  const entries = list();
  assert.deepEqual(statusesOf(entries), [506, 205, 504, 203, 502, 201, 500]);
  const ids = entries.map(({ id }) => String(id));
  assert.deepEqual(ids, ids.toSorted().toReversed());
  const page = log.list('ac_1', { limit: 2, before: ids[2]!, has: () => true });
  assert.deepEqual(statusesOf(page), [203, 502]);
  const some = log.list('ac_1', { limit: 2, has: ({ status_code: status }) => Number(status) >= 500 });
  assert.deepEqual(statusesOf(some), [506, 504]);
});

test('successes do not replace failures, and the last thousand failures stay', () => {
  const { log, observe, fail, list } = startLog();
  log.watch('ac_1', 60_000);
  for (let index = 0; index < 1_000; index += 1) fail({ durationMs: index });
  for (let index = 0; index < 20_000; index += 1) observe();
  const entries = list();
  assert.equal(entries.filter(({ status_code: status }) => status === 502).length, 1_000);
  assert.ok(entries.length < 4_000);
  for (let index = 0; index < 20_000; index += 1) fail();
  assert.ok(log.bytes < 3 * 2 ** 20, String(log.bytes));
});

test('all accounts share a limit, and an account beyond its share evicts its own entries only', () => {
  const ring = { lines: 100_000, chunks: 1_000 };
  const total = 1_000_000;
  const { log, fail, list } = startLog({ limits: { failures: ring, others: ring, total } });
  for (let index = 0; index < 20; index += 1) fail({ account: `ac_quiet${index % 10}` });
  for (let index = 0; index < 10_000; index += 1) {
    fail({ account: `ac_${index % 2}` });
    assert.ok(log.bytes <= total);
  }
  for (let index = 0; index < 10; index += 1) assert.equal(list(`ac_quiet${index}`).length, 2);
  assert.ok(list('ac_0').length > 500);
  // Accounts with one entry each use up what all share.
  for (let index = 0; index < 5_000; index += 1) {
    fail({ account: `ac_new${index}` });
    assert.ok(log.bytes <= total);
  }
  assert.equal(list('ac_new4999').length, 1);
  assert.equal(list('ac_quiet0').length, 0);
});

test('a follower gets each entry of its account until it stops, and nothing is left of it', () => {
  const { log, observe, list } = startLog();
  const seen: JsonObject[] = [];
  const stop = log.follow('ac_1', (entry) => seen.push(entry));
  observe();
  observe({ account: 'ac_2', status: 500 });
  observe({ status: 500 });
  assert.deepEqual(seen.toReversed(), list());
  stop();
  observe({ status: 500 });
  assert.deepEqual([seen.length, log.wants('ac_1')], [2, false]);
});

test('texts of an entry have a limited length', () => {
  const { fail, list, log } = startLog({ choice: 'full' });
  const long = '\x01"\xc2\x80'.repeat(10_000);
  fail({ method: long, path: long, query: long, reason: long, fault: long });
  const [entry] = list();
  assert.ok(JSON.stringify(entry).length < 10_000, String(JSON.stringify(entry).length));
  assert.equal(log.list('ac_1', all).length, 1);
});
