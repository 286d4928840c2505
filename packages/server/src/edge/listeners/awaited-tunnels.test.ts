import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hostname, HostPattern } from '../../core/names/hostname.ts';
import { AwaitedTunnels } from './awaited-tunnels.ts';

function setUp(expectedMs: number) {
  const clock = { ms: 1000 };
  const awaited = new AwaitedTunnels(() => clock.ms);
  awaited.expect(expectedMs);
  const served = new Set<string>();
  const gone: string[] = [];
  const come = (name: string, source = '192.0.2.1') =>
    awaited.whenServed({ source, isServed: () => served.has(name), goOn: () => gone.push(name) });
  return { clock, awaited, served, gone, come };
}

test('who comes before the tunnel goes on when it is there; who comes to a tunnel that is there, at once', () => {
  const { awaited, served, gone, come } = setUp(3000);
  served.add('there');
  come('there');
  come('coming');
  come('lost');
  assert.deepEqual(gone, ['there']);
  served.add('coming');
  awaited.look();
  assert.deepEqual(gone, ['there', 'coming']);
  served.add('lost');
  awaited.look();
  assert.deepEqual(gone, ['there', 'coming', 'lost']);
});

test('after the time that agents take no visitor waits', () => {
  const { clock, awaited, gone, come } = setUp(3000);
  come('one');
  clock.ms += 2999;
  awaited.look();
  assert.deepEqual(gone, []);
  clock.ms += 1;
  awaited.look();
  come('another');
  assert.deepEqual(gone, ['one', 'another']);
});

test('a daemon that expects no agents lets no visitor wait', () => {
  const { gone, come } = setUp(0);
  come('any');
  assert.deepEqual(gone, ['any']);
});

test('a look at many names ends soon, and each of them has its turn', () => {
  const { clock, awaited, gone } = setUp(3000);
  const served = { yet: false };
  let looks = 0;
  for (let i = 0; i < 100; i++) {
    const isServed = (): boolean => {
      looks++;
      clock.ms += 0.5;
      return served.yet;
    };
    awaited.whenServed({ source: '192.0.2.1', isServed, goOn: () => gone.push(`${i}`) });
  }
  looks = 0;
  awaited.look();
  assert.ok(looks > 0 && looks < 10, `${looks} names in one look`);
  served.yet = true;
  for (let i = 0; i < 100; i++) awaited.look();
  assert.equal(new Set(gone).size, 100);
});

test('one source does not take the places of the others: its own visitors go on as things are', () => {
  const { clock, awaited, served, gone, come } = setUp(3000);
  for (let i = 0; i < 5000; i++) come(`flood ${i}`, '192.0.2.66');
  const beyond = gone.length;
  assert.ok(beyond > 0 && beyond < 5000, `${beyond} of the source did not wait`);
  for (const visitor of ['one', 'other']) come(visitor, '192.0.2.1');
  assert.deepEqual(gone.slice(beyond), ['flood 0', 'flood 1'], 'those who waited longest give way');
  served.add('one').add('other');
  awaited.look();
  assert.deepEqual(gone.slice(beyond + 2), ['one', 'other']);
  clock.ms += 3000;
  awaited.look();
  assert.equal(gone.length, 5002);
});

test('visitors of a name whose agent was lost wait for it, below a wildcard too, and others do not', () => {
  const { clock, awaited, gone } = setUp(0);
  const come = (name: string) =>
    awaited.whenServed({
      ...{ source: '192.0.2.1', name: name as Hostname },
      ...{ isServed: () => false, goOn: () => gone.push(name) },
    });
  awaited.expectAt('lost.x' as Hostname, 10_000);
  awaited.expectAt('*.below.x' as HostPattern, 20_000);
  for (const name of ['lost.x', 'any.below.x', 'other.x', 'x']) come(name);
  assert.deepEqual(gone, ['other.x', 'x']);
  clock.ms += 10_000;
  awaited.look();
  assert.deepEqual(gone, ['other.x', 'x', 'lost.x']);
  clock.ms += 10_000;
  awaited.look();
  assert.deepEqual(gone, ['other.x', 'x', 'lost.x', 'any.below.x']);
});
