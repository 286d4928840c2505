import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LinkStream, noPeers } from '../../link/peers.ts';
import type { SessionHandle } from '../../online/session.ts';
import { servePeers } from './served-peers.ts';

type Respond = (body: unknown, from: number) => unknown;

function serve(session: Pick<SessionHandle, 'ask'> | undefined): ReadonlyMap<LinkStream, Respond> {
  const served = new Map<LinkStream, Respond>();
  const peers = {
    ...noPeers,
    answer: (type: LinkStream, respond: Respond) => void served.set(type, respond),
  };
  const own = {
    tunnelOf: () => undefined,
    session: () => session as SessionHandle | undefined,
    endReplaced: (numbers: readonly number[]) => void new Set(numbers),
  };
  servePeers(peers, own, { observe: () => assert.fail('there is no tunnel') });
  return served;
}

test('a request that only newer daemons know is refused by name, and nothing is requested of the agent', async () => {
  const requested: string[] = [];
  const served = serve({ ask: async (request) => void requested.push(request) });
  const ask = async (request: unknown) =>
    await served.get(LinkStream.ask)?.({ session: 'ts_1', account: 'ac_1', request }, 2);
  assert.equal(await ask('stop'), null);
  for (const request of ['dance', 7, null, undefined, { stop: true }])
    assert.equal(((await ask(request)) as { code: string }).code, 'sessionNodeOlder');
  assert.deepEqual(requested, ['stop']);
});

test('bodies of other forms end their call alone', async () => {
  const served = serve(undefined);
  assert.equal(served.size, 5);
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (body) => {
      // The error of a response resets the call.
      for (const respond of served.values()) await Promise.try(() => respond(body, 2)).catch(() => {});
    }),
  );
});
