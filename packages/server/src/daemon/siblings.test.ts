import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Siblings } from './siblings.ts';

test('a daemon that stops by itself waits for none, and all others stay', async () => {
  const siblings = new Siblings('one');
  assert.equal(siblings.endsToo({ group: 'one' }), false);
  await siblings.served(60_000);
});

test('workers of one supervisor end together, and no other daemon', () => {
  const siblings = new Siblings('one');
  siblings.endTogether(() => {});
  // Names need not differ: those of daemons at several addresses of a machine are the same.
  const ends = (facts: object) => siblings.endsToo({ name: 'edge/2', machine: 'm', ...facts });
  assert.deepEqual(
    [ends({ group: 'one' }), ends({ group: 'other' }), ends({ group: '' }), ends({})],
    [true, false, false, false],
  );
  const single = new Siblings('');
  single.endTogether(() => {});
  assert.equal(single.endsToo({ group: '' }), false);
});

test('a worker without others waits for none', async () => {
  const single = new Siblings('');
  single.endTogether(() => assert.fail('reported'));
  await single.served(60_000);
});

test('the sessions of agents wait for visitors of the others, but not for ever', async () => {
  const siblings = new Siblings('one');
  const steps: string[] = [];
  siblings.endTogether(() => steps.push('reported'));
  const served = siblings.served(60_000).then(() => steps.push('all are served'));
  assert.deepEqual(steps, ['reported']);
  siblings.allServed();
  await served;
  assert.deepEqual(steps, ['reported', 'all are served']);
  const late = new Siblings('one');
  late.endTogether(() => {});
  await late.served(1);
});
