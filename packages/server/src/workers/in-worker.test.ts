import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type Answering, answerSupervisor } from './in-worker.ts';
import type { FromWorker } from './messages.ts';

test('questions and fields of another version get no response, and the channel goes on', async () => {
  const sent: FromWorker[] = [];
  const send = (message: FromWorker): void => void sent.push(message);
  const channel = Object.assign(new EventEmitter(), { connected: true, send });
  const daemon: Pick<Answering, 'bootstrapFile' | 'handOver'> = {
    bootstrapFile: null,
    handOver: () => assert.fail('nothing is handed over'),
  };
  answerSupervisor(channel, daemon as Answering, () => {});
  for (const message of [{ id: 1, about: 'colours' }, { id: 2 }, { id: 3, about: null }])
    channel.emit('message', message);
  channel.emit('message', { id: 4, about: 'life', colour: 'blue' });
  await turn();
  assert.deepEqual(sent, [
    { kind: 'ready', bootstrapFile: null },
    { kind: 'response', id: 4, response: true },
  ]);
});
