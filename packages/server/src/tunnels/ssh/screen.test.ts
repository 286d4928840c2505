import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Screen } from './screen.ts';

const facts = { account: 'An \x1b[31maccount', region: 'us', url: 'https://a.example.com' };
const visit = {
  servedBy: 'tn_1',
  method: 'GET',
  path: '/',
  status: 200,
  durationMs: 3.4,
  connection: { clientAddr: '192.0.2.1:5' },
};

/** A channel that keeps what is printed. */
function kept() {
  const printed: string[] = [];
  const channel = { writableNeedDrain: false, print: (text: string) => printed.push(text) > 0 };
  return { printed, channel };
}

it('prints lines where there is no terminal, and none of them steers one', () => {
  const { printed, channel } = kept();
  const screen = new Screen(channel, facts, null);
  screen.visit({ ...visit, path: '/\x1b]0;evil\x07\u202e' });
  assert.match(printed.join(''), /Forwarding {2}https:\/\/a\.example\.com\n/);
  assert.match(printed.join(''), /200 GET \/\?\]0;evil\?\? {2}3 ms\n/);
  assert.doesNotMatch(printed.join(''), /[^\P{Cc}\n]|\p{Cf}/u);
});

it('prints what was refused with the reason, and makes nothing of what is only counted', (t) => {
  t.mock.method(performance, 'now', () => 10_000);
  const { printed, channel } = kept();
  const screen = new Screen(channel, facts, null);
  let made = 0;
  const refusal = {
    ...{ at: 0, clientAddr: '192.0.2.1:5', host: 'a.example.com', method: 'GET', path: '/\x1b[2J' },
    ...{ status: 403, code: 'ERR_1', reason: 'It is \x07 not allowed.', module: 'ip_restriction' },
  };
  for (let count = 0; count < 100; count++)
    screen.refused(() => {
      made += 1;
      return refusal;
    });
  assert.equal(printed[1], '00:00:00  403 GET /?[2J  refused (ip_restriction): It is ? not allowed.\n');
  assert.equal(made, 20);
});

it('prints no more lines than somebody reads, and counts the others', (t) => {
  t.mock.method(performance, 'now', () => now);
  let now = 10_000;
  const { printed, channel } = kept();
  const screen = new Screen(channel, facts, null);
  for (let count = 0; count < 100; count++) screen.visit(visit);
  assert.equal(printed.length, 1 + 20);
  now += 1000;
  channel.writableNeedDrain = true;
  screen.visit(visit);
  channel.writableNeedDrain = false;
  screen.visit(visit);
  assert.match(printed.at(-1) ?? '', /^\(81 more\)\n.*200 GET/);
});

it('draws a screen that fits the terminal, at most five times a second', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { printed, channel } = kept();
  const screen = new Screen(channel, facts, { columns: 40, rows: 12 });
  for (let count = 0; count < 1000; count++) screen.visit({ ...visit, path: `/${'x'.repeat(200)}` });
  assert.equal(printed.length, 1);
  t.mock.timers.tick(200);
  assert.equal(printed.length, 2);
  const lines = (printed[1] ?? '').replace('\x1b[H\x1b[2J', '').split('\r\n');
  assert.ok(lines.length <= 12);
  assert.ok(lines.every(({ length }) => length <= 40));
  assert.ok(lines.includes('Requests    1000'));
  channel.writableNeedDrain = true;
  screen.visit(visit);
  t.mock.timers.tick(200);
  assert.equal(printed.length, 2);
  channel.writableNeedDrain = false;
  t.mock.timers.tick(200);
  assert.equal(printed.length, 3);
  screen.visit(visit);
  screen.stop();
  t.mock.timers.tick(200);
  assert.equal(printed.length, 3);
});
