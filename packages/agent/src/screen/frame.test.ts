import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { columnsOf } from './columns.ts';
import { frame, type ScreenView } from './frame.ts';

const URL = 'https://0123456789ab.underpass.localhost:8443';
const view: ScreenView = {
  server: 'connect.underpass.localhost:8443',
  session: { state: 'online', region: 'us', sessionId: 'ts_2ab', banner: '' },
  connections: null,
  latencyMs: 12,
  inspector: 'http://127.0.0.1:4040',
  tunnels: [{ name: null, from: URL, to: 'http://localhost:3000', isOver: false }],
  requests: { total: 12, failed: 2, perSecond: 0.2, percentiles: { p50: 1, p90: 20, p99: 300 } },
  messages: [],
  latest: [
    { at: 0, name: null, status: 200, durationMs: 1, text: 'GET /first' },
    { at: 0, name: null, status: 502, durationMs: 20, text: `GET /${'a'.repeat(300)}` },
    { at: 0, name: null, status: null, durationMs: 3, text: 'GET /last' },
  ],
  retryAt: 0,
  now: 0,
};

const shown = (changes: Partial<ScreenView>, columns: number, rows = 24) =>
  frame({ ...view, ...changes }, { columns, rows }, true).map(stripVTControlCharacters);

test('everything is there at a usual width', () => {
  const lines = shown({}, 100);
  assert.deepEqual(lines.slice(0, 5), [
    'Session     online  region us  ts_2ab  connect.underpass.localhost:8443',
    'Latency     12.0 ms',
    'Inspector   http://127.0.0.1:4040',
    `Forwarding  ${URL} -> http://localhost:3000`,
    'Requests    12  2 failed  p50 1.0 ms  p90 20.0 ms  p99 300 ms  0.2/s',
  ]);
  assert.equal(lines[5], '');
  assert.match(lines[6] ?? '', /^\d\d:\d\d:\d\d {2}--- {4}3\.0 ms {2}GET \/last$/, 'the latest is first');
  assert.match(lines[8] ?? '', /200 {4}1\.0 ms {2}GET \/first$/);
});

test('the number of connections is shown if there are several', () => {
  const [line] = shown({ connections: { open: 3, wanted: 4 } }, 100);
  assert.equal(
    line,
    'Session     online  region us  ts_2ab  connections 3 of 4  connect.underpass.localhost:8443',
  );
});

test('no frame is larger than its terminal, whatever is in it', () => {
  const wide = '漢字 👩‍👩‍👧 e\u0301 '.repeat(40);
  const busy: Partial<ScreenView> = {
    session: { state: 'offline', reason: wide, retryInMs: 1, failures: 9 },
    tunnels: Array.from({ length: 30 }, (_, index) => ({
      ...{ name: `tunnel-${index}`, from: URL, to: `unix:/run/${wide}`, isOver: index === 3 },
    })),
    messages: [wide, wide],
    latest: Array.from({ length: 300 }, () => ({
      ...{ at: 0, name: 'web', status: 200, durationMs: 1_234_567, text: `GET /${wide}` },
    })),
  };
  for (const changes of [{}, busy, { requests: null, latest: [] }]) {
    for (const rows of [1, 5, 12, 24, 60]) {
      for (let columns = 1; columns <= 200; columns += columns < 45 ? 1 : 31) {
        const lines = shown(changes, columns, rows);
        assert.ok(lines.length <= rows, `${lines.length} of ${rows} rows`);
        for (const line of lines) assert.ok(columnsOf(line) <= columns, `${columns}: ${line}`);
      }
    }
  }
});

test('on a narrow terminal the URL begins a line and is whole', () => {
  const lines = shown({}, 40);
  const at = lines.indexOf('Forwarding');
  assert.equal(`${lines[at + 1]}${lines[at + 2]}`, URL);
  assert.equal(lines[at + 3], '  -> http://localhost:3000');
  assert.ok(lines.includes('---    3.0 ms  GET /last'), 'requests have no time');
  const long = lines.find((line) => line.includes('/aaa')) ?? '';
  assert.ok(long.length === 40 && long.endsWith('>'), long);
});

test('on a tiny terminal the URL is whole, and how the session is stands above it', () => {
  assert.deepEqual(shown({}, 20, 5), [
    'online',
    ...['https://0123456789ab', '.underpass.localhost', ':8443'],
    'Requests    12',
  ]);
  assert.deepEqual(shown({ messages: ['The local server is gone.'] }, 20, 5).slice(1), [
    ...['https://0123456789ab', '.underpass.localhost', ':8443'],
    'The local server is>',
  ]);
  const gone = { messages: ['The local server is gone. Start it.'] };
  assert.deepEqual(shown(gone, 50, 5).slice(1), [URL, gone.messages[0], ...shown({}, 50, 5).slice(2, 4)]);
  assert.deepEqual(shown(gone, 20, 6).slice(4), ['The local server is', 'gone. Start it.']);
  assert.deepEqual(shown(gone, 15, 7).slice(5), ['server is gone.', 'Start it.']);
  const session = { state: 'offline', reason: 'connection refused', retryInMs: 3_000, failures: 1 } as const;
  assert.equal(shown({ session, retryAt: 3_000 }, 20, 5)[0], 'offline  again in 3>');
  const own = [{ name: null, from: 'https://a.test', to: 'http://localhost:3000', isOver: false }];
  assert.deepEqual(shown({ session, tunnels: own, requests: null }, 20, 4).slice(1), [
    'https://a.test',
    'Latency     12.0 ms',
    'Inspector   http://>',
  ]);
  assert.equal(shown({}, 80, 5)[1], URL);
  const two = ['a', 'b'].map((name) => ({ name, from: URL, to: 'http://localhost:3000', isOver: false }));
  assert.deepEqual(shown({ tunnels: two }, 80, 5).slice(1, 3), [`a  ${URL}`, `b  ${URL}`]);
});

test('many tunnels leave room for requests', () => {
  const tunnels = Array.from({ length: 30 }, (_, index) => ({
    ...{ name: `t${index}`, from: URL, to: 'http://localhost:3000', isOver: false },
  }));
  const lines = shown({ tunnels }, 120);
  assert.ok(lines.length <= 24);
  assert.match(lines.join('\n'), /\.\.\. \d+ lines more\nRequests/);
  assert.match(lines.at(-1) ?? '', /GET \/first/);
  // If a line has no room for each upstream, it still has room for the name and URL.
  for (const [count, listed] of [
    [13, 13],
    [30, 12],
  ] as const)
    assert.deepEqual(
      shown({ tunnels: tunnels.slice(0, count) }, 80).filter((line) => line.includes(URL)),
      tunnels.slice(0, listed).map(({ name }) => `${name}  ${URL}`),
    );
});

test('an agent that is offline says why, and when it tries again', () => {
  const session = { state: 'offline', reason: 'connection refused', retryInMs: 3_000, failures: 1 } as const;
  assert.equal(
    shown({ session, retryAt: 3_000, now: 500 }, 80)[0],
    'Session     offline  again in 3 s  connection refused',
  );
  assert.equal(shown({ session: { state: 'connecting' } }, 80)[0], `Session     connecting  ${view.server}`);
});

test('one that stays offline says what to do, and what went wrong is read to its end', () => {
  const session = { state: 'offline', reason: 'connection refused', retryInMs: 3_000, failures: 3 } as const;
  const advice = [
    '"underpass diagnose --server connect.underpass.localhost:8443" shows which step',
    'of the connection fails, and what to do.',
  ];
  const lines = shown({ session }, 80);
  assert.deepEqual(lines.slice(lines.indexOf('') + 1).slice(0, 2), advice);
  assert.ok(!shown({ session: { ...session, failures: 2 } }, 80).includes(advice[1] ?? ''));
  assert.ok(!shown({}, 80).includes(advice[1] ?? ''), 'a session is there');
  const text = 'http://localhost:4999 cannot be reached: connection refused (is it running?)';
  const latest = [{ at: 0, name: null, status: null, durationMs: null, text }];
  assert.deepEqual(shown({ latest }, 40).slice(-2), [
    'http://localhost:4999 cannot be reached:',
    'connection refused (is it running?)',
  ]);
});

test('of messages that have no room together the latest are there, each whole', () => {
  const session = { state: 'offline', reason: 'gone', retryInMs: 1, failures: 9 } as const;
  const advice = '"underpass diagnose --server connect.underpass.localhost:8443" shows which step';
  const old = `old ${'news '.repeat(50)}`.trimEnd();
  const offline = shown({ session, messages: [old] }, 90);
  assert.equal(offline.filter((line) => line.startsWith(advice)).length, 1, offline.join('\n'));
  assert.doesNotMatch(offline.join('\n'), /news/);
  const both = shown({ messages: ['first', old, 'second'] }, 90).join('\n');
  assert.match(both, /old news[\s\S]*\nsecond\n/);
  assert.doesNotMatch(both, /first\n/);
});

test('colours are left out where they are not wanted', () => {
  assert.ok(frame(view, { columns: 80, rows: 24 }, true).some((line) => line.includes('\x1b')));
  assert.ok(!frame(view, { columns: 80, rows: 24 }, false).some((line) => line.includes('\x1b')));
});
