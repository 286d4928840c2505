import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Values } from '../command/options.ts';
import { OperatorError } from '../operator/operator-error.ts';
import { type Rolled, type RollParts, roll } from './roll.ts';
import { WorkerFailed } from './worker.ts';

const former: Values = new Map([['log-level', ['info']]]);
const values: Values = new Map([['log-level', ['debug']]]);

/** Two workers whose acts are recorded. `fails`: the start that does not succeed, counted from 1. */
function scene({ hasSiblings = true, fails = 0, hangs = false, isStopping = (): boolean => false } = {}) {
  const acts: string[] = [];
  let starts = 0;
  const make = ({ number, seat, values }: Pick<Rolled, 'number' | 'seat' | 'values'>): Rolled => {
    const start = async () => {
      starts += 1;
      acts.push(`start ${number} at ${seat}`);
      if (starts === fails && hangs) await new Promise(() => {});
      if (starts === fails) throw new WorkerFailed(number, 1);
      return { bootstrapFile: null };
    };
    return {
      ...{ number, seat, values, isReady: true, start },
      again: async () => void (await start()),
      ask: async ({ about }) => {
        acts.push(`${about} ${number}`);
        return null;
      },
      stop: async (signal) => void acts.push(`${signal} ${number}`),
    };
  };
  const workers = [1, 2].map((number) => make({ number, seat: number, values: former }));
  const parts: RollParts = {
    ...{ workers, others: new Set(), hasSiblings, isStopping, make, startMs: 1, log: { info() {} } },
    sockets: { double: (seat, is) => void acts.push(`${is ? 'two' : 'one'} at ${seat}`) },
  };
  return { parts, acts, workers };
}

test('each worker ends when its successor is ready, which has its sockets and a number that none has', async () => {
  const { parts, acts, workers } = scene();
  assert.deepEqual(await roll(parts, { only: null, values }), [3, 1]);
  assert.deepEqual(acts, [
    ...['two at 1', 'start 3 at 1', 'handOver 1', 'SIGTERM 1', 'one at 1'],
    ...['two at 2', 'start 1 at 2', 'handOver 2', 'SIGTERM 2', 'one at 2'],
  ]);
  assert.deepEqual(
    workers.map(({ number, values }) => [number, values]),
    [
      [3, values],
      [1, values],
    ],
  );
  assert.equal(parts.others.size, 0);
});

test('a successor that does not start ends nothing, and stops the restart', async () => {
  for (const hangs of [false, true]) {
    const { parts, acts, workers } = scene({ fails: 2, hangs });
    await assert.rejects(
      roll(parts, { only: null, values }),
      (error) =>
        error instanceof OperatorError &&
        error.message.includes(hangs ? 'worker 1 was not ready in time' : 'worker 1 ended before') &&
        error.message.includes('Worker 2 goes on. 1 of 2 workers were restarted before.'),
    );
    assert.deepEqual(acts.slice(5), ['two at 2', 'start 1 at 2', 'SIGKILL 1', 'one at 2']);
    assert.deepEqual(
      workers.map(({ number }) => number),
      [3, 2],
    );
    assert.equal(parts.others.size, 0);
  }
});

test('a worker that holds the database alone gets the former options again if it does not start', async () => {
  const { parts, acts, workers } = scene({ hasSiblings: false, fails: 2 });
  await assert.rejects(roll(parts, { only: null, values }), /started again with its former options\. 1 of 2/);
  assert.deepEqual(acts, ['start 1 at 1', 'start 2 at 2']);
  assert.deepEqual(
    workers.map(({ values }) => values),
    [values, former],
  );
});

test('a daemon that stops starts and ends no worker for a restart', async () => {
  let looks = 0;
  // It stops while the first successor starts.
  const { parts, acts } = scene({
    isStopping: () => {
      looks += 1;
      return looks > 1;
    },
  });
  await assert.rejects(roll(parts, { only: null, values }), /the daemon stops/);
  assert.deepEqual(acts, ['two at 1', 'start 3 at 1']);
});

test('one worker alone, by its number', async () => {
  const { parts } = scene();
  assert.deepEqual(await roll(parts, { only: 2, values }), [3]);
  await assert.rejects(roll(parts, { only: 2, values }), /no worker has the number 2: give one of 1, 3/);
});
