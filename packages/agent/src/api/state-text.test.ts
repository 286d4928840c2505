/** Tests of the texts of `underpass status` and `underpass logs`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountOverview, TrafficRequest } from '@underpass/client';
import { requestLine } from './logs.ts';
import { statusLines } from './status.ts';

const counts = {
  ...{ names: 3, agents: 2, sessions: 2, tunnels: 4, edges: 1, reserved_domains: 1, reserved_addrs: 0 },
  ...{ tls_certificates: 0, event_destinations: 0 },
};
const figures = { requests: 7, errors: 1, bytes_in: 0, bytes_out: 9, p50_ms: 4, p95_ms: 250 };
const overview: AccountOverview = {
  warnings: [
    {
      ...{
        code: 'name_without_agent',
        name: 'a.example.com',
        msg: 'No agent.\u001b[2J',
        remedy: 'Start one.',
      },
      resource: { kind: 'reserved_domain', id: 'rd_1', uri: 'https://x/rd_1' },
    },
    { code: 'node_not_ready', name: '', msg: 'Not ready.', remedy: 'Wait.', resource: null },
  ],
  ...{ warning_count: 5, counts, last_minute: figures, last_hour: null },
  ...{ last_hour_requests: null, as_of: '' },
};

test('the overview has warnings with remedies first, and no control characters', () => {
  const lines = statusLines(overview, false);
  assert.match(lines[0] ?? '', /^! No agent\./);
  assert.deepEqual(lines.slice(1), [
    ...['  Start one. (rd_1)', '! Not ready.', '  Wait.', '! 3 more: underpass api status get', ''],
    ...['3 names, 2 agents, 4 tunnels, 1 edge', 'last minute: 7 requests, 1 failed, p50 4.0 ms, p95 250 ms'],
  ]);
  assert.ok(!lines.join('').includes('\u001b'));
  assert.equal(statusLines({ ...overview, warnings: [], warning_count: 0 }, true)[0], 'No warnings.');
});

const request: TrafficRequest = {
  ...{
    id: 'req_1',
    uri: '',
    end_ts: '2026-01-31T10:00:00.000Z',
    kind: 'http',
    site: '',
    host: 'a.example.com',
  },
  ...{
    route: '',
    backend: '',
    served_by: '',
    node: '',
    method: 'GET',
    path: '/x',
    query: '',
    status_code: 403,
  },
  ...{
    client_ip: '203.0.113.0/24',
    tls: null,
    bytes_in: 0,
    bytes_out: 0,
    duration_ms: 1,
    first_byte_ms: null,
  },
  decisions: [{ module: 'ip_restriction', decision: 'block' }],
  ...{ error_code: 'ERR_1', error: 'refused', reason: '', upstream_fault: '' },
  has_bodies: false,
};

test('a request is one line, with the module and the reason of a refusal', () => {
  const [, ...fields] = requestLine(request, false).split('  ');
  assert.deepEqual(fields, [
    ...['403', 'GET', 'a.example.com/x', '1.0 ms', '203.0.113.0/24', 'ip_restriction ERR_1: refused'],
  ]);
  const hostile = requestLine({ ...request, path: '/\u001b[31m\n', reason: 'a\nb' }, false);
  assert.ok(
    [...hostile].every((character) => character >= ' '),
    JSON.stringify(hostile),
  );
  const bytes = requestLine({ ...request, kind: 'bytes', method: '', path: '', error_code: '' }, false);
  assert.match(bytes, / {2}TCP {2}a\.example\.com {2}/);
});
