import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, ErrorCode, type StreamType } from '@underpass/wire';
import fc from 'fast-check';
import { commonVersion, helloOf, mismatch, ownVersions, parseHello } from './hello.ts';
import { clientOver, echo, nodeOf, startAcceptor, startLinks, toSocket, up } from './links.fixture.ts';
import { linkNode } from './node-facts.ts';
import { LinkStream } from './peers.ts';

const versions = fc
  .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }))
  .map(([a, b]) => ({ version: Math.max(a, b), oldest: Math.min(a, b) }));

test('two ranges use the newest version that is in both, and both ends find the same', () => {
  fc.assert(
    fc.property(versions, versions, (one, two) => {
      const shared = Array.from({ length: 10 }, (_, version) => version).filter((version) =>
        [one, two].every(({ version: newest, oldest }) => oldest <= version && version <= newest),
      );
      assert.equal(commonVersion(one, two), shared.at(-1) ?? null);
      assert.equal(commonVersion(two, one), commonVersion(one, two));
      assert.equal(mismatch(one, two) === null, shared.length > 0);
    }),
  );
});

test('values of other forms are no hello, and unknown fields change nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      parseHello(value);
      linkNode(1, Object(value) as object);
      const hello = helloOf(7);
      const more = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value };
      assert.deepEqual(parseHello({ ...more, ...hello }), hello);
    }),
  );
});

test('a daemon of the next version is used with the common version', async (context) => {
  const one = await startLinks(context, 1);
  const hello = { version: ownVersions.version + 1, oldest: 1, incarnation: 2, colours: ['red'], next: {} };
  const acceptor = await startAcceptor(context, hello);
  one.links.follow([nodeOf(2, { socket: acceptor.path })]);
  await up(one.links, 2);
  const peer = one.links.get(2) as unknown;
  assert.equal((peer as { readonly version: number }).version, ownVersions.version);
});

test('a call and a stream that the other daemon does not know are refused here, by name', async (context) => {
  const one = await startLinks(context, 1);
  const two = await startLinks(context, 2);
  two.links.serve(LinkStream.hop, echo);
  one.links.follow([two.node]);
  await up(one.links, 2);
  const unknown = 99 as LinkStream;
  const handler = { data: () => {}, end: () => {}, drain: () => {}, close: () => {} };
  assert.equal(one.links.get(2)?.open(unknown, handler, Buffer.alloc(0)), null);
  await assert.rejects(async () => one.links.get(2)?.call(unknown, {}), {
    code: ErrorCode.streamRefused,
    message: /older version/,
  });
});

test('unknown streams, calls and fields of a newer daemon do not break its link', async (context) => {
  const one = await startLinks(context, 1);
  one.links.serve(LinkStream.hop, echo);
  one.links.answer(LinkStream.ask, (body) => body);
  const { session, codes } = clientOver(context, toSocket(one.node));
  const hello = { version: 9, oldest: 1, incarnation: 2, colours: ['red'] };
  assert.deepEqual(await call(session, LinkStream.hello, hello), helloOf(1));
  const known: ReadonlySet<number> = new Set(Object.values(LinkStream));
  const types = fc.integer({ min: 0, max: 0xfffffffe }).filter((type) => !known.has(type));
  await fc.assert(
    fc.asyncProperty(types, fc.jsonValue(), async (type, body) => {
      await assert.rejects(call(session, type as StreamType, body), { code: ErrorCode.streamRefused });
    }),
  );
  // Further hellos are calls that nothing serves.
  await assert.rejects(call(session, LinkStream.hello, hello), { code: ErrorCode.streamRefused });
  assert.deepEqual(await call(session, LinkStream.ask, { a: 1 }), { a: 1 });
  assert.deepEqual(codes, []);
});
