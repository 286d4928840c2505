import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { StatusView } from './api-types.ts';
import { EventStream } from './event-stream.ts';
import { Store } from './store.ts';

/** A reader whose connection is full after each event. */
class FullSink extends EventEmitter {
  readonly written: string[] = [];

  write(text: string): boolean {
    this.written.push(text);
    return false;
  }
}

const ORIGIN = { tunnel: 1, method: 'GET', target: '/', client: '', replayOf: null, startedAt: 0 };

test('a reader that never reads is sent one event, and when it reads what is there by then', () => {
  const store = new Store();
  const sink = new FullSink();
  let changes = 0;
  new EventStream({
    ...{ sink, store, run: 'r', lastEventId: null },
    status: () => ({}) as StatusView,
    watchStatus: () => () => changes++,
  });
  for (let added = 0; added < 3_000; added++) store.add(ORIGIN, 'GET / HTTP/1.1\r\n').end(true);
  assert.equal(sink.written.length, 1);
  for (let drained = 0; drained < 50; drained++) sink.emit('drain');
  // A thousand are kept, in events of two hundred.
  assert.equal(sink.written.length, 6);
  assert.match(sink.written.at(-1)!, /^id: r-6000\n/);
  sink.emit('close');
  assert.equal(changes, 1);
});
