import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../edge/sites/exchange-record.fixture.ts';
import type { ExchangeRecord } from '../edge/sites/exchange-record.ts';
import { AccessLog } from './access-log.ts';
import { forPeople } from './people-log.ts';

const refused: ExchangeRecord = { ...visit, status: 403, servedBy: '', error: 'sourceRefused' };

function opened(choice: AccessLog['choice']) {
  const lines: object[] = [];
  const log = new AccessLog(choice, { info: (line: object) => lines.push(line) }, 'ERR_X_');
  return { log, lines };
}

test('there is a line for what is chosen, from the moment on in which it is chosen', () => {
  const { log, lines } = opened('errors');
  const count = (): number => {
    lines.length = 0;
    log.observe(visit);
    log.observe(refused);
    return lines.length;
  };
  assert.deepEqual([count(), log.recordsRequests()], [1, false]);
  log.choice = 'all';
  assert.deepEqual([count(), log.recordsRequests()], [2, true]);
  log.choice = 'off';
  assert.deepEqual([count(), log.recordsRequests()], [0, false]);
});

test('a line says what was asked, what was decided and why it was refused', () => {
  const { log, lines } = opened('errors');
  log.observe(refused);
  assert.deepEqual(lines, [
    {
      client_addr: '192.0.2.1:5000',
      host: 'a.example.com',
      server_name: 'a.example.com',
      site: 'edghts_1',
      account: 'ac_1',
      route: 'edghtsrt_1',
      backend: 'bkdtg_1',
      served_by: '',
      method: 'GET',
      path: '/here',
      status: 403,
      bytes_in: 1,
      bytes_out: 2,
      duration_ms: 1.235,
      first_byte_ms: 1,
      decisions: { ip_restriction: 'allow' },
      fault: 'sourceRefused',
      error_code: 'ERR_X_3205',
    },
  ]);
  const told = forPeople(JSON.stringify({ level: 30, time: 0, ...lines[0] }), { colours: false });
  assert.ok(told.endsWith('  GET a.example.com/here  403  1.2 ms  sourceRefused  edghts_1\n'), told);
});

test('what compression saved is in the line of what was compressed', () => {
  const { log, lines } = opened('all');
  log.observe(visit);
  log.observe({ ...visit, bytesSaved: 1000 });
  assert.deepEqual(
    lines.map((line) => 'bytes_saved' in line && line.bytes_saved),
    [false, 1000],
  );
});

test('a connection of bytes has neither method nor status, and no first byte when none came', () => {
  const { log, lines } = opened('all');
  log.observe({ ...visit, kind: 'bytes', method: '', path: '', status: 0, firstByteMs: null });
  assert.deepEqual(Object.keys(lines[0]!).slice(8), ['bytes_in', 'bytes_out', 'duration_ms', 'decisions']);
});

test('what was sent neither steers a terminal nor makes a line long', () => {
  const { log, lines } = opened('all');
  log.observe({ ...visit, path: `/\x1b[31m\x9b\n${'x'.repeat(5000)}` });
  const [line] = lines as { path: string }[];
  assert.ok(line!.path.startsWith('/\\x1b[31m\\x9b\\x0axxx'), line!.path);
  assert.ok(line!.path.length < 1100);
});
