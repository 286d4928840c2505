import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Siblings } from './siblings.ts';

test('a daemon that stops by itself waits for none, and all others stay', async () => {
  const siblings = new Siblings({ name: 'edge/1', machine: 'm' });
  assert.equal(siblings.endsToo({ name: 'edge/2', machine: 'm' }), false);
  await siblings.served(60_000);
});

test('workers of one supervisor end together, and no other daemon', () => {
  const siblings = new Siblings({ name: 'a/edge/1', machine: 'm' });
  siblings.endTogether(() => {});
  const ends = (name: string, machine = 'm') => siblings.endsToo({ name, machine });
  assert.deepEqual(
    [ends('a/edge/2'), ends('a/edge/12'), ends('a/other/2'), ends('a/edge'), ends('a/edge/2', 'n')],
    [true, true, false, false, false],
  );
  const single = new Siblings({ name: 'edge', machine: 'm' });
  single.endTogether(() => {});
  assert.equal(single.endsToo({ name: 'edge', machine: 'm' }), false);
});

test('a worker without others waits for none', async () => {
  const single = new Siblings({ name: '', machine: 'm' });
  single.endTogether(() => assert.fail('reported'));
  await single.served(60_000);
});

test('the sessions of agents wait for visitors of the others, but not for ever', async () => {
  const siblings = new Siblings({ name: 'edge/1', machine: 'm' });
  const steps: string[] = [];
  siblings.endTogether(() => steps.push('reported'));
  const served = siblings.served(60_000).then(() => steps.push('all are served'));
  assert.deepEqual(steps, ['reported']);
  siblings.allServed();
  await served;
  assert.deepEqual(steps, ['reported', 'all are served']);
  const late = new Siblings({ name: 'edge/1', machine: 'm' });
  late.endTogether(() => {});
  await late.served(1);
});
