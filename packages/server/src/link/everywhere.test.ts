import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../../test/harness/index.ts';
import { Everywhere, serveApplied } from './everywhere.ts';
import { LinkStream, type Peer } from './peers.ts';

/** So long that no test reaches it. */
const NEVER_MS = 600_000;

interface Call {
  readonly revision: number;
  readonly answer: (isApplied: boolean) => void;
  readonly fail: () => void;
}

/** Another daemon, whose answers the test gives. */
class FakePeer implements Peer {
  readonly incarnation = 1;
  readonly isOnThisMachine = true;
  readonly region = 'us';
  isUp = true;
  /** It has answered within the turn. */
  isPrompt = false;
  readonly calls: Call[] = [];

  open(): null {
    return null;
  }

  call(type: LinkStream, body: object): Promise<unknown> {
    assert.equal(type, LinkStream.applied);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const { revision } = body as { readonly revision: number };
    this.calls.push({
      revision,
      answer: (isApplied) => resolve({ isApplied }),
      fail: () => reject(new Error('the link is down')),
    });
    if (this.isPrompt) resolve({ isApplied: true });
    return promise;
  }

  get revisions(): readonly number[] {
    return this.calls.map(({ revision }) => revision);
  }

  last(): Call {
    return this.calls.at(-1) as Call;
  }
}

function everywhere(peers: readonly Peer[], lateMs = NEVER_MS): Everywhere {
  return new Everywhere({ all: () => peers }, lateMs);
}

test('without other daemons, or without links to them, nothing is waited for', () => {
  assert.equal(everywhere([]).late(7), 0);
  const peer = new FakePeer();
  peer.isUp = false;
  assert.equal(everywhere([peer]).late(7), 0);
  assert.deepEqual(peer.calls, []);
});

test('writes during a call share the next one, which has the latest revision', async () => {
  const peer = new FakePeer();
  const all = everywhere([peer]);
  const waits = [all.late(1), all.late(2), all.late(3), all.late(4)];
  assert.deepEqual(peer.revisions, [1]);
  peer.last().answer(true);
  assert.equal(await waits[0], 0);
  await eventually(() => assert.deepEqual(peer.revisions, [1, 4]));
  peer.last().answer(true);
  assert.deepEqual(await Promise.all(waits), [0, 0, 0, 0]);
  assert.equal(all.late(4), 0, 'what was applied needs no call');
  assert.deepEqual(peer.revisions, [1, 4]);
});

test('all daemons are called at once', async () => {
  const peers = [new FakePeer(), new FakePeer()];
  const late = everywhere(peers).late(1);
  assert.deepEqual(
    peers.map(({ revisions }) => revisions),
    [[1], [1]],
  );
  for (const peer of peers) peer.last().answer(true);
  assert.equal(await late, 0);
});

test('a daemon that does not answer delays one write, then is counted at once until it has caught up', async () => {
  const peer = new FakePeer();
  const all = everywhere([peer], 20);
  assert.equal(await all.late(1), 1);
  assert.equal(all.late(2), 1, 'not a promise');
  assert.deepEqual(peer.revisions, [1], 'one call is under way');
  // An answer that was late does not suffice: the daemon has caught up when it answers in time.
  peer.isPrompt = true;
  peer.last().answer(true);
  await eventually(() => assert.deepEqual(peer.revisions, [1, 2]));
  const next = all.late(3);
  assert.ok(next instanceof Promise);
  assert.equal(await next, 0);
});

test('a daemon that cannot apply it is counted at once, and is called again', async () => {
  const peer = new FakePeer();
  const all = everywhere([peer], 20);
  const late = all.late(1);
  peer.last().answer(false);
  assert.equal(await late, 1);
  assert.equal(all.late(2), 1);
  await eventually(() => assert.deepEqual(peer.revisions, [1, 2]));
  peer.last().answer(true);
  await eventually(() => assert.equal(all.late(2), 0));
});

test('a link that goes down ends the wait', async () => {
  const peer = new FakePeer();
  const all = everywhere([peer]);
  const late = all.late(1);
  peer.isUp = false;
  peer.last().fail();
  assert.equal(await late, 1);
  assert.equal(all.late(2), 0);
});

test('after another history, smaller revisions are not applied yet', async () => {
  const peer = new FakePeer();
  const all = everywhere([peer]);
  const first = all.late(9);
  peer.last().answer(true);
  assert.equal(await first, 0);
  const next = all.late(5);
  assert.ok(next instanceof Promise);
  await eventually(() => assert.deepEqual(peer.revisions, [9, 5]));
  peer.last().answer(true);
  assert.equal(await next, 0);
});

test('a daemon answers when its followers have applied the revision, or when they are late', async () => {
  let respond: (body: unknown, from: number) => unknown = () => {};
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const peers = {
    answer: (_: LinkStream, its: typeof respond) => {
      respond = its;
    },
  };
  serveApplied(peers, (revision) => (revision === 1 ? Promise.resolve(true) : promise), 20);
  assert.deepEqual(await respond({ revision: 1 }, 2), { isApplied: true });
  assert.deepEqual(await respond({ revision: 2 }, 2), { isApplied: false });
  resolve(true);
  assert.deepEqual(await respond({ revision: 2 }, 2), { isApplied: true });
});
