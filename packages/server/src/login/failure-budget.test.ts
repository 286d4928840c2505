import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailureBudget } from './failure-budget.ts';
import { LoginFault } from './login-fault.ts';

const rates = {
  all: { burst: 100, perSecond: 10 },
  module: { burst: 60, perSecond: 6 },
  known: { burst: 20, perSecond: 2 },
};
const wrong = new LoginFault('loginRefused', 'signature', 'wrong');

function start() {
  const clock = { now: 1_000_000 };
  const budget = new FailureBudget({ rates, now: () => clock.now });
  let read = 0;
  /** Sends a message of the client. Returns 'in' if it was accepted, else the check that failed. */
  const sends = async (
    client: string,
    isRight: boolean,
    module = 'ec_1',
    cost = 1,
    flow = '',
  ): Promise<string> => {
    const act = async (): Promise<string> => {
      read += 1;
      if (!isRight) throw wrong;
      return 'in';
    };
    return await budget.spend({ client, module, cost, flow }, act).catch((error: unknown) => {
      assert.ok(error instanceof LoginFault, String(error));
      return error.check;
    });
  };
  const countOf = async (times: number, send: (index: number) => Promise<string>, outcome: string) => {
    let count = 0;
    for (let index = 0; index < times; index += 1) if ((await send(index)) === outcome) count += 1;
    return count;
  };
  return { clock, sends, countOf, readSoFar: () => read };
}

const address = (index: number): string => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

test('failing messages of many addresses have a bound together, and it comes back with time', async () => {
  const { sends, countOf, clock, readSoFar } = start();
  const flood = (from: number) => (index: number) => sends(address(from + index), false, `ec_${index % 50}`);
  assert.equal(await countOf(20_000, flood(0), 'signature'), 100);
  assert.equal(await sends('192.0.2.1', true), 'budget');
  clock.now += 1_000;
  assert.equal(await countOf(20_000, flood(30_000), 'signature'), 10);
  assert.equal(readSoFar(), 110);
});

test('what a message costs counts, not only that it came', async () => {
  const { sends, countOf } = start();
  const large = (index: number) => sends(address(index), false, `ec_${index}`, 30);
  assert.equal(await countOf(100, large, 'signature'), 4);
});

test('networks that fail again and again keep no other out', async () => {
  const { sends, countOf } = start();
  const flood = (index: number) => sends(address(index % 25), false, `ec_${index % 7}`);
  const read = await countOf(10_000, flood, 'signature');
  assert.ok(read <= 51, String(read));
  assert.equal(
    await countOf(500, (index) => sends(`192.0.2.${index % 250}`, true, `ec_${index % 7}`), 'in'),
    500,
  );
  // Addresses of one site count as one network.
  const site = (index: number) => sends(`2001:db8:1:${index.toString(16)}::1`, false);
  assert.equal(await countOf(100, site, 'signature'), 1);
});

test('a network whose users were let in is let in during a flood of new addresses, until it fails itself', async () => {
  const { sends, countOf, clock } = start();
  assert.equal(await sends('192.0.2.1', true), 'in');
  await countOf(1_000, (index) => sends(address(index), false, `ec_${index % 50}`), 'signature');
  assert.equal(await sends('192.0.2.2', true), 'budget');
  assert.equal(await countOf(1_000, () => sends('192.0.2.1', true), 'in'), 1_000);
  assert.equal(await countOf(100, () => sends('192.0.2.1', false), 'signature'), 10);
  assert.equal(await sends('192.0.2.1', true), 'budget');
  clock.now += 20_000;
  assert.equal(await sends('192.0.2.1', true), 'in');
});

test('what answers a login that was begun here has a budget of its own, a few times for each login', async () => {
  const { sends, countOf } = start();
  await countOf(1_000, (index) => sends(address(index), false, `ec_${index % 50}`), 'signature');
  assert.equal(await sends('192.0.2.1', true), 'budget');
  assert.equal(await sends('192.0.2.1', true, 'ec_1', 1, 'a flow'), 'in');
  const again = (index: number) => sends(address(5_000 + index), false, 'ec_2', 1, 'another');
  assert.equal(await countOf(1_000, again, 'signature'), 5);
  const many = (index: number) =>
    sends(address(10_000 + index), false, `ec_${index % 50}`, 1, `flow ${index}`);
  assert.ok((await countOf(1_000, many, 'signature')) <= 100);
});

test('a flood of one module leaves the others their budget', async () => {
  const { sends, countOf } = start();
  assert.equal(await countOf(1_000, (index) => sends(address(index), false, 'ec_1'), 'signature'), 60);
  assert.equal(await sends('192.0.2.1', true, 'ec_1'), 'budget');
  assert.equal(await countOf(50, (index) => sends(`192.0.2.${index}`, true, 'ec_2'), 'in'), 50);
});

test('what was this service’s own fault is given back, and a clock that is put back shuts nobody out', async () => {
  const clock = { now: 1_000_000 };
  const budget = new FailureBudget({ rates, now: () => clock.now });
  const charge = { client: '192.0.2.1', module: 'ec_1', cost: 1, flow: '' };
  const failing = () => budget.spend(charge, () => Promise.reject(new Error('the database is away')));
  for (let times = 0; times < 500; times += 1) await assert.rejects(failing(), /database/);
  assert.equal(await budget.spend(charge, async () => 'in'), 'in');
  clock.now = 0;
  assert.equal(await budget.spend(charge, async () => 'in'), 'in');
});
