/**
 * A gRPC service behind a real agent, with an independent client, in all four kinds of call.
 * Invariant: no status is lost.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import grpc from '@grpc/grpc-js';
import { eventually, inTime, Platform, until } from '../harness/index.ts';

const text = {
  requestSerialize: (value: string) => Buffer.from(value),
  requestDeserialize: (bytes: Buffer) => bytes.toString(),
  responseSerialize: (value: string) => Buffer.from(value),
  responseDeserialize: (bytes: Buffer) => bytes.toString(),
};
const service = {
  unary: { path: '/test.Texts/Unary', requestStream: false, responseStream: false, ...text },
  collect: { path: '/test.Texts/Collect', requestStream: true, responseStream: false, ...text },
  repeat: { path: '/test.Texts/Repeat', requestStream: false, responseStream: true, ...text },
  talk: { path: '/test.Texts/Talk', requestStream: true, responseStream: true, ...text },
} as const satisfies grpc.ServiceDefinition;
const { requestSerialize, responseDeserialize } = text;

const server = new grpc.Server();
let platform: Platform;
let client: grpc.Client;
let inspector: { readonly url: string; readonly token: string };
/** Calls that their client took back. */
let cancelled = 0;

server.addService(service, {
  unary(call: grpc.ServerUnaryCall<string, string>, answer: grpc.sendUnaryData<string>) {
    if (call.request === 'refuse') {
      const metadata = new grpc.Metadata();
      metadata.set('x-why', 'it was asked for');
      answer({ code: grpc.status.FAILED_PRECONDITION, details: 'not now: 100 % über', metadata });
      return;
    }
    answer(null, `${call.request}, ${call.metadata.get('x-name')}`);
  },
  collect(call: grpc.ServerReadableStream<string, string>, answer: grpc.sendUnaryData<string>) {
    const all: string[] = [];
    call.on('data', (one: string) => all.push(one));
    call.on('end', () => answer(null, String(all.join('').length)));
  },
  repeat(call: grpc.ServerWritableStream<string, string>) {
    for (let at = 0; at < 100; at += 1) call.write(`${call.request} ${at}`);
    call.end();
  },
  talk(call: grpc.ServerDuplexStream<string, string>) {
    call.on('data', (one: string) => call.write(`you said ${one}`));
    call.on('end', () => call.end());
    call.on('cancelled', () => {
      cancelled += 1;
    });
  },
});

before(async () => {
  platform = await Platform.shared();
  const port = await new Promise<number>((done, failed) =>
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? done(bound) : failed(error),
    ),
  );
  const flags = ['--upstream-protocol', 'http2', '--inspect', '127.0.0.1:0'];
  const agent = await platform.agent(['http', `127.0.0.1:${port}`, ...flags]);
  const { input } = await agent.process.line(/"event":"inspector"/);
  inspector = JSON.parse(input) as { url: string; token: string };
  const { hostname } = new URL(agent.url);
  client = new grpc.Client(
    `127.0.0.1:${platform.port}`,
    grpc.credentials.createSsl(Buffer.from(platform.ca)),
    {
      'grpc.ssl_target_name_override': hostname,
      'grpc.default_authority': hostname,
    },
  );
});
after(async () => {
  client?.close();
  server.forceShutdown();
  await platform?.stop();
});

function unary(request: string): Promise<{ answer?: string | undefined; error: grpc.ServiceError | null }> {
  const metadata = new grpc.Metadata();
  metadata.set('x-name', 'visitor');
  const { path } = service.unary;
  return new Promise((done) =>
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, (error, answer) =>
      done({ answer, error }),
    ),
  );
}

async function allOf(call: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const one of call) all.push(one);
  return all;
}

test('a unary call', async () => {
  assert.deepEqual(await unary('hello'), { answer: 'hello, visitor', error: null });
});

test('a call that fails, with its status, message and trailers', async () => {
  const { error } = await unary('refuse');
  assert.equal(error?.code, grpc.status.FAILED_PRECONDITION);
  assert.equal(error.details, 'not now: 100 % über');
  assert.deepEqual(error.metadata.get('x-why'), ['it was asked for']);
});

test('a call is shown by the inspector with its status, and sent again', async () => {
  const ask = async (path: string, method = 'GET') => {
    const headers = { 'X-Inspector-Token': inspector.token };
    const answer = await fetch(`${inspector.url}/api/exchanges${path}`, { method, headers });
    return (await answer.json()) as {
      readonly id: number;
      readonly outcome: string;
      readonly exchanges: readonly { readonly id: number; readonly path: string }[];
      readonly response: { readonly headers: readonly (readonly [string, string])[] };
    };
  };
  await unary('refuse');
  const { exchanges } = await ask('');
  const refused = exchanges.at(-1);
  assert.equal(refused?.path, service.unary.path);
  const { id } = await ask(`/${refused?.id}/replay`, 'POST');
  await eventually(async () => assert.equal((await ask(`/${id}`)).outcome, 'complete'));
  for (const one of [refused?.id, id]) {
    const fields = new Map((await ask(`/${one}`)).response.headers);
    assert.equal(fields.get('grpc-status'), String(grpc.status.FAILED_PRECONDITION));
    assert.equal(fields.get('x-why'), 'it was asked for');
  }
});

test('a method that the service lacks', async () => {
  const error = await new Promise<grpc.ServiceError | null>((done) =>
    client.makeUnaryRequest('/test.Texts/None', requestSerialize, responseDeserialize, '', (failure) =>
      done(failure),
    ),
  );
  assert.equal(error?.code, grpc.status.UNIMPLEMENTED);
});

test('a stream of requests', async () => {
  const { path } = service.collect;
  const answer = await new Promise((done, failed) => {
    const call = client.makeClientStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      (error, value) => (error === null ? done(value) : failed(error)),
    );
    for (let at = 0; at < 200; at += 1) call.write('x'.repeat(10_000));
    call.end();
  });
  assert.equal(answer, '2000000');
});

test('a stream of answers', async () => {
  const { path } = service.repeat;
  const call = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, 'number');
  const all = await allOf(call);
  assert.deepEqual(
    all,
    Array.from({ length: 100 }, (_, at) => `number ${at}`),
  );
});

test('a dialogue, in which each waits for the other', async () => {
  const { path } = service.talk;
  const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
  const answers = call[Symbol.asyncIterator]();
  for (const word of ['one', 'two', 'three']) {
    call.write(word);
    const { value } = await inTime(answers.next(), () => `an answer to ${word}`);
    assert.equal(value, `you said ${word}`);
  }
  call.end();
  assert.equal((await answers.next()).done, true);
});

test('a call that is taken back is taken back at the service', async () => {
  const { path } = service.talk;
  const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
  const seen = Promise.withResolvers<void>();
  call.on('data', () => seen.resolve());
  call.on('error', () => {});
  call.write('hello');
  await seen.promise;
  const before = cancelled;
  call.cancel();
  await until(() => cancelled === before + 1);
});

test('many calls at a time', async () => {
  const answers = await Promise.all(Array.from({ length: 300 }, (_, at) => unary(`${at}`)));
  assert.deepEqual(
    answers.map(({ answer }) => answer),
    answers.map((_, at) => `${at}, visitor`),
  );
});
