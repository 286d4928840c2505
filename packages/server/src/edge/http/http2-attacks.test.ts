/** Known attacks on HTTP/2 servers, frame by frame: the connection or the stream ends, without effect on others. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  CLIENT_PREFACE,
  Flag,
  FrameType,
  frame,
  Http2Error,
  MAX_FRAME,
  numberFrame,
  readFrameHead,
} from '@underpass/wire/http2';
import { until } from '../../../../../test/harness/until.ts';
import { encodeHeaders } from '../../http2/header-encoder.ts';
import { HTTP2_LIMITS } from '../../http2/limits.ts';
import { Setting, settingsFrame } from '../../http2/settings.ts';
import { Http2Client } from './http2-client.fixture.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { byHand, type Client, NAME, startTestServer, type TestServer } from './test-server.fixture.ts';

const NOTHING = Buffer.alloc(0);
const ENDS = Flag.endStream | Flag.endHeaders;

/** A head with the fields that each request has. */
function head(changes: Readonly<Record<string, string>> = {}): Buffer {
  const fields = { ':method': 'GET', ':scheme': 'https', ':authority': NAME, ':path': '/', ...changes };
  return encodeHeaders(Object.entries(fields).map(([name, value]) => ({ name, value })));
}

function get(id: number, changes: Readonly<Record<string, string>> = {}): Buffer {
  return frame(FrameType.headers, ENDS, id, head(changes));
}

/** Speaks frames, and is not held to any rule. */
class Attacker {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  static async open(
    server: TestServer,
    settings: ReadonlyMap<number, number> = new Map(),
  ): Promise<Attacker> {
    const client = await server.connect({ ALPNProtocols: ['h2'] });
    client.send(Buffer.concat([CLIENT_PREFACE, settingsFrame(settings)]));
    return new Attacker(client);
  }

  send(...frames: readonly Buffer[]): void {
    this.client.send(Buffer.concat(frames));
  }

  /** Returns the code of GOAWAY at the end of the connection. */
  async goAway(): Promise<number | undefined> {
    await this.client.until(() => this.client.ended || this.client.closed);
    return this.#frames()
      .find(({ type }) => type === FrameType.goAway)
      ?.payload.readUInt32BE(4);
  }

  async frameOf(type: number, stream: number): Promise<Buffer> {
    const find = () => this.#frames().find((one) => one.type === type && one.stream === stream);
    await this.client.until(() => find() !== undefined || this.client.ended || this.client.closed);
    const found = find();
    assert.ok(found, `no frame of type ${type} for stream ${stream}: ${JSON.stringify(this.#frames())}`);
    return found.payload;
  }

  countOf(type: number): number {
    return this.#frames().filter((one) => one.type === type).length;
  }

  #frames() {
    const bytes = Buffer.from(this.client.pending, 'latin1');
    const frames: { type: number; stream: number; payload: Buffer }[] = [];
    for (let at = 0; at + 9 <= bytes.length; ) {
      const { length, type, stream } = readFrameHead(bytes, at);
      if (at + 9 + length > bytes.length) break;
      frames.push({ type, stream, payload: bytes.subarray(at + 9, at + 9 + length) });
      at += 9 + length;
    }
    return frames;
  }
}

let server: TestServer;
let bystander: Http2Client;
let meetBystander: () => Promise<Http2Client>;
const ending: (() => unknown)[] = [];
/** Requests that reached the agent. */
let asked = 0;

const serve = byHand((stream, soFar) => {
  // Its head can come without the beginning of its body: it is answered neither way.
  if (soFar.includes('/unread')) return stream.pause();
  if (!soFar.endsWith('\r\n\r\n')) return;
  asked += 1;
  if (soFar.includes('/never')) return;
  const size = soFar.includes('/large') ? 1_000_000 : 2;
  stream.write(Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`));
});

before(async () => {
  const context = { after: (act: () => unknown) => void ending.unshift(act) };
  server = await startTestServer(context as never, serve);
  meetBystander = () => Http2Client.open(context as never, server.port);
  bystander = await meetBystander();
});
after(async () => {
  for (const act of ending) await act();
});

async function nobodyElseNotices(): Promise<void> {
  const { status, body } = await bystander.ask({});
  assert.deepEqual([status, body], [200, 'xx']);
}

const burst = HTTP2_LIMITS.futileBurst + 10;
const many = (one: (at: number) => Buffer): Buffer[] => Array.from({ length: burst }, (_, at) => one(at));

for (const [what, frames] of [
  ['pings', () => many(() => frame(FrameType.ping, 0, 0, Buffer.alloc(8)))],
  ['settings', () => many(() => settingsFrame(new Map()))],
  ['acknowledgements', () => many(() => frame(FrameType.settings, Flag.ack, 0, NOTHING))],
  ['priorities', () => many((at) => frame(FrameType.priority, 0, 2 * at + 1, Buffer.alloc(5)))],
  ['unknown frames', () => many(() => frame(0xfa, 0, 0, NOTHING))],
  [
    'empty pieces of a body',
    () => [
      frame(FrameType.headers, Flag.endHeaders, 1, head({ ':method': 'POST', ':path': '/never' })),
      ...many(() => frame(FrameType.data, 0, 1, NOTHING)),
    ],
  ],
  [
    'window updates',
    () => [
      ...many(() => numberFrame(FrameType.windowUpdate, 0, 1)),
      ...many(() => numberFrame(FrameType.windowUpdate, 0, 1)),
    ],
  ],
  [
    'streams that are reset at once',
    () =>
      many((at) =>
        Buffer.concat([
          get(2 * at + 1, { ':path': '/never' }),
          numberFrame(FrameType.rstStream, 2 * at + 1, Http2Error.cancel),
        ]),
      ),
  ],
  [
    'streams that the server is made to reset',
    () =>
      many((at) =>
        Buffer.concat([
          get(2 * at + 1, { ':path': '/never' }),
          numberFrame(FrameType.windowUpdate, 2 * at + 1, 0),
        ]),
      ),
  ],
  ['malformed requests', () => many((at) => get(2 * at + 1, { connection: 'close' }))],
  [
    'streams beyond the limit',
    () =>
      Array.from({ length: burst + HTTP2_LIMITS.streams }, (_, at) => get(2 * at + 1, { ':path': '/never' })),
  ],
] as const) {
  test(`a flood of ${what} ends its connection`, async () => {
    const attacker = await Attacker.open(server);
    attacker.send(...frames());
    assert.equal(await attacker.goAway(), Http2Error.enhanceYourCalm);
    await nobodyElseNotices();
  });
}

test('a reset stream is given up at the agent, and so many may be reset as a browser does', async () => {
  const attacker = await Attacker.open(server);
  const before = server.observed.length;
  for (let at = 0; at < 100; at += 1) {
    attacker.send(
      get(2 * at + 1, { ':path': '/never' }),
      numberFrame(FrameType.rstStream, 2 * at + 1, Http2Error.cancel),
    );
  }
  attacker.send(get(201));
  await attacker.frameOf(FrameType.data, 201);
  assert.equal(server.observed.slice(before).filter(({ status }) => status === 0).length, 100);
  assert.equal(server.agents[0]!.tunnel.outstanding, 0);
});

test('a header block without an end is not kept', async () => {
  const attacker = await Attacker.open(server);
  const piece = Buffer.alloc(MAX_FRAME - 100, 0x82);
  attacker.send(frame(FrameType.headers, Flag.endStream, 1, head()));
  for (let i = 0; i < 8; i += 1) attacker.send(frame(FrameType.continuation, 0, 1, piece));
  assert.equal(await attacker.goAway(), Http2Error.enhanceYourCalm);
  await nobodyElseNotices();
});

test('a header block in empty pieces is not waited for', async () => {
  const attacker = await Attacker.open(server);
  attacker.send(frame(FrameType.headers, Flag.endStream, 1, head()));
  for (let i = 0; i < 100; i += 1) attacker.send(frame(FrameType.continuation, 0, 1, NOTHING));
  assert.equal(await attacker.goAway(), Http2Error.enhanceYourCalm);
});

test('a short header block that stands for a long list is refused, and the connection goes on', async () => {
  const attacker = await Attacker.open(server);
  const entry = encodeHeaders([{ name: 'x', value: 'y'.repeat(4000) }]);
  entry[0] = 0x40;
  attacker.send(
    frame(FrameType.headers, ENDS, 1, Buffer.concat([head(), entry, Buffer.alloc(10_000, 0xbe)])),
  );
  const answer = await attacker.frameOf(FrameType.headers, 1);
  assert.ok(answer.includes('431'), 'the status is 431');
  attacker.send(get(3));
  await attacker.frameOf(FrameType.data, 3);
});

/** A field that fills most of the table of fields, which one byte of a later block stands for. */
function kept(size: number): Buffer {
  const entry = encodeHeaders([{ name: 'x', value: 'y'.repeat(size) }]);
  entry[0] = 0x40;
  return entry;
}
const KEPT = 0xbe;

test('R11: requests whose short blocks stand for 60 KB each are refused, one by one, and the table stays right', async () => {
  const attacker = await Attacker.open(server);
  const before = asked;
  attacker.send(frame(FrameType.headers, ENDS, 1, Buffer.concat([head(), kept(4000)])));
  await attacker.frameOf(FrameType.data, 1);
  const large = Buffer.concat([head({ ':path': '/never' }), Buffer.alloc(15, KEPT)]);
  for (let id = 3; id < 203; id += 2) attacker.send(frame(FrameType.headers, ENDS, id, large));
  for (let id = 3; id < 203; id += 2)
    assert.ok((await attacker.frameOf(FrameType.headers, id)).includes('431'), 'the status is 431');
  const short = Buffer.concat([head(), Buffer.alloc(3, KEPT)]);
  attacker.send(frame(FrameType.headers, ENDS, 203, short));
  await attacker.frameOf(FrameType.data, 203);
  assert.equal(asked - before, 2);
});

test('fields count with 32 bytes each, also short ones and crumbs of a cookie, and trailers have the same bound', async () => {
  const attacker = await Attacker.open(server);
  const crumb = encodeHeaders([{ name: 'cookie', value: 'a=b' }]);
  const most = Math.floor((DEFAULT_LIMITS.requestHeadBytes - 300) / (32 + 9));
  const crumbs = (count: number) => Buffer.concat([head(), ...Array.from({ length: count }, () => crumb)]);
  attacker.send(frame(FrameType.headers, ENDS, 1, crumbs(most)));
  await attacker.frameOf(FrameType.data, 1);
  attacker.send(frame(FrameType.headers, ENDS, 3, crumbs(most + 10)));
  assert.ok((await attacker.frameOf(FrameType.headers, 3)).includes('431'));
  const post = head({ ':method': 'POST', ':path': '/unread' });
  const trailers = frame(FrameType.headers, ENDS, 5, Buffer.concat([kept(4000), Buffer.alloc(4, KEPT)]));
  attacker.send(frame(FrameType.headers, Flag.endHeaders, 5, post), trailers);
  assert.match((await attacker.frameOf(FrameType.data, 5)).toString(), /ERR_TEST_60217/);
  const code = (await attacker.frameOf(FrameType.rstStream, 5)).readUInt32BE();
  assert.equal(code, Http2Error.protocol);
  attacker.send(get(7));
  await attacker.frameOf(FrameType.data, 7);
});

test('a request whose block is longer than the list may be gets 431, and its bound was announced', async () => {
  const attacker = await Attacker.open(server);
  attacker.send(long(1, { cookie: 'x'.repeat(40_000) }));
  assert.ok((await attacker.frameOf(FrameType.headers, 1)).includes('431'));
  const page = (await attacker.frameOf(FrameType.data, 1)).toString();
  assert.match(page, new RegExp(`${DEFAULT_LIMITS.requestHeadBytes}`));
  const settings = await attacker.frameOf(FrameType.settings, 0);
  const entry = Buffer.alloc(6);
  entry.writeUInt16BE(Setting.maxHeaderListSize);
  entry.writeUInt32BE(DEFAULT_LIMITS.requestHeadBytes, 2);
  assert.ok(settings.includes(entry));
  attacker.send(get(3));
  await attacker.frameOf(FrameType.data, 3);
});

/** A head of several frames. */
function long(id: number, changes: Readonly<Record<string, string>>): Buffer {
  const block = head(changes);
  const pieces = [frame(FrameType.headers, Flag.endStream, id, block.subarray(0, MAX_FRAME))];
  for (let at = MAX_FRAME; at < block.length; at += MAX_FRAME) {
    const flags = at + MAX_FRAME >= block.length ? Flag.endHeaders : 0;
    pieces.push(frame(FrameType.continuation, flags, id, block.subarray(at, at + MAX_FRAME)));
  }
  return Buffer.concat(pieces);
}

test('the heads of requests that wait for their answers are kept up to a bound, and who goes beyond may ask later', async (t) => {
  const roomy = await startTestServer(t, serve, { limits: { requestHeadBytes: DEFAULT_LIMITS.headBytes } });
  const attacker = await Attacker.open(roomy);
  const wanted = { ':path': '/never', cookie: 'x'.repeat(60_000) };
  const before = asked;
  for (let id = 1; id < 70; id += 2) attacker.send(long(id, wanted));
  assert.equal((await attacker.frameOf(FrameType.rstStream, 69)).readUInt32BE(), Http2Error.refusedStream);
  await until(() => asked === before + 34);
  assert.equal(attacker.countOf(FrameType.rstStream), 1);
  attacker.send(get(71));
  await attacker.frameOf(FrameType.data, 71);
  attacker.send(numberFrame(FrameType.rstStream, 1, Http2Error.cancel), long(73, wanted));
  await until(() => asked === before + 36);
  attacker.client.socket.destroy();
  await until(() => roomy.agents[0]!.tunnel.outstanding === 0);
});

test('streams whose windows never open end, one by one, and hold no more than a window of each', async () => {
  const attacker = await Attacker.open(server, new Map([[Setting.initialWindowSize, 0]]));
  const before = asked;
  for (let at = 0; at < 50; at += 1) attacker.send(get(2 * at + 1, { ':path': '/large' }));
  await attacker.frameOf(FrameType.headers, 99);
  assert.equal(asked - before, 50);
  await nobodyElseNotices();
  assert.equal(attacker.countOf(FrameType.data), 0);
  server.pass(121_000);
  await attacker.frameOf(FrameType.rstStream, 99);
  bystander = await meetBystander();
  assert.equal(server.agents[0]!.tunnel.outstanding, 0);
});

test('a body that is sent on although its window is closed ends its stream', async () => {
  const attacker = await Attacker.open(server);
  const before = server.observed.length;
  attacker.send(
    frame(FrameType.headers, Flag.endHeaders, 1, head({ ':method': 'POST', ':path': '/unread' })),
  );
  const piece = frame(FrameType.data, 0, 1, Buffer.alloc(MAX_FRAME));
  for (let sent = 0; sent < 4 * 1024 * 1024; sent += MAX_FRAME) attacker.send(piece);
  const code = (await attacker.frameOf(FrameType.rstStream, 1)).readUInt32BE();
  assert.equal(code, Http2Error.flowControl);
  await nobodyElseNotices();
  assert.equal(server.observed[before]?.status, 0);
});

/** A request whose answer comes before its body. */
async function answeredEarly(): Promise<Attacker> {
  const attacker = await Attacker.open(server);
  attacker.send(frame(FrameType.headers, Flag.endHeaders, 1, head({ ':method': 'POST' })));
  await attacker.frameOf(FrameType.data, 1);
  return attacker;
}

const bodyPiece = frame(FrameType.data, 0, 1, Buffer.alloc(MAX_FRAME));

test('a body that is longer than its length gets a response, and the reset of a malformed request behind its end', async () => {
  const attacker = await Attacker.open(server);
  const post = head({ ':method': 'POST', ':path': '/unread', 'content-length': '1' });
  attacker.send(
    frame(FrameType.headers, Flag.endHeaders, 1, post),
    frame(FrameType.data, 0, 1, Buffer.from('test')),
  );
  assert.match((await attacker.frameOf(FrameType.data, 1)).toString(), /ERR_TEST_60792/);
  attacker.send(frame(FrameType.data, 0, 1, Buffer.from('more')), get(3));
  await attacker.frameOf(FrameType.data, 3);
  assert.equal(attacker.countOf(FrameType.rstStream), 0);
  attacker.send(frame(FrameType.data, Flag.endStream, 1, Buffer.from('end')));
  assert.equal((await attacker.frameOf(FrameType.rstStream, 1)).readUInt32BE(), Http2Error.protocol);
  await nobodyElseNotices();
});

test('a stream that is answered before its body has come is not reset at once, but after a while', async () => {
  const attacker = await answeredEarly();
  attacker.send(bodyPiece, get(3));
  await attacker.frameOf(FrameType.data, 3);
  assert.equal(attacker.countOf(FrameType.rstStream), 0);
  server.pass(DEFAULT_LIMITS.lingerSilenceMs + 1_000);
  const code = (await attacker.frameOf(FrameType.rstStream, 1)).readUInt32BE();
  assert.equal(code, Http2Error.none);
  await nobodyElseNotices();
});

test('an unwanted body is read at a limited rate, for a limited time', async () => {
  const attacker = await answeredEarly();
  let count = 0;
  const sendFor = async (bytes: number): Promise<void> => {
    for (let sent = 0; sent < bytes; sent += MAX_FRAME) {
      attacker.send(bodyPiece);
      count += 1;
    }
    attacker.send(get(2 * count + 1));
    await attacker.frameOf(FrameType.data, 2 * count + 1);
  };
  for (let passed = 0; passed < DEFAULT_LIMITS.lingerMs; passed += 3_000) {
    // As many bytes as the windows allow at a time.
    await sendFor(128 * 1024);
    assert.equal(attacker.countOf(FrameType.rstStream), 0);
    server.pass(3_000);
  }
  server.pass(1_000);
  const code = (await attacker.frameOf(FrameType.rstStream, 1)).readUInt32BE();
  assert.equal(code, Http2Error.none);
  await nobodyElseNotices();
});

for (const [what, frames, code] of [
  [
    'a frame that is longer than was allowed',
    [frame(FrameType.data, 0, 1, Buffer.alloc(MAX_FRAME + 1))],
    Http2Error.frameSize,
  ],
  ['DATA for a stream that was never opened', [frame(FrameType.data, 0, 1, NOTHING)], Http2Error.protocol],
  ['a stream of the server’s', [get(2)], Http2Error.protocol],
  ['a stream with a lower number than one before', [get(5), get(3)], Http2Error.streamClosed],
  [
    'a header block that cannot be read',
    [frame(FrameType.headers, ENDS, 1, Buffer.from([0xff, 0xff]))],
    Http2Error.compression,
  ],
  ['a push', [frame(FrameType.pushPromise, Flag.endHeaders, 1, Buffer.alloc(4))], Http2Error.protocol],
  [
    'a window beyond all bounds',
    [numberFrame(FrameType.windowUpdate, 0, 0x7fff_ffff)],
    Http2Error.flowControl,
  ],
  [
    'settings without bounds',
    [settingsFrame(new Map(Array.from({ length: 1000 }, (_, at) => [at + 100, 1])))],
    Http2Error.enhanceYourCalm,
  ],
] as const) {
  test(`${what} ends the connection, with the reason`, async () => {
    const attacker = await Attacker.open(server);
    attacker.send(...frames);
    assert.equal(await attacker.goAway(), code);
    await nobodyElseNotices();
  });
}

test('what is no HTTP/2 after all gets a reason, too', async () => {
  const client = await server.connect({ ALPNProtocols: ['h2'] });
  client.send(`GET / HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`);
  const bytes = Buffer.from(await client.rest(), 'latin1');
  assert.ok(bytes.includes('no preface'));
});

test('a preface, or a header block, that does not come to its end is waited for half a minute', async () => {
  const silent = await server.connect({ ALPNProtocols: ['h2'] });
  const attacker = await Attacker.open(server);
  attacker.send(frame(FrameType.headers, Flag.endStream, 1, head()));
  await attacker.frameOf(FrameType.settings, 0);
  await nobodyElseNotices();
  for (let i = 0; i < 3; i += 1) server.pass(20_000);
  bystander = await meetBystander();
  await silent.rest();
  assert.equal(await attacker.goAway(), Http2Error.protocol);
});

test('a connection without requests ends when it has been idle for long', async () => {
  const attacker = await Attacker.open(server);
  attacker.send(get(1));
  await attacker.frameOf(FrameType.data, 1);
  server.pass(76_000);
  assert.equal(await attacker.goAway(), Http2Error.none);
});

for (const [what, fields, code] of [
  ['a name in upper case', { 'X-One': 'a' }, 60791],
  ['a line end in a value', { 'x-one': 'a\r\nx-two: b' }, 60791],
  ['a NUL in a value', { 'x-one': 'a\0b' }, 60791],
  ['white space around a value', { 'x-one': ' a' }, 60791],
  ['a colon in a name', { 'x:one': 'a' }, 60791],
  ['a space in a method', { ':method': 'GET /x HTTP/1.1' }, 60791],
  ['a line end in a path', { ':path': '/ HTTP/1.1\r\nx: y' }, 60211],
  ['a line end in an authority', { ':authority': `${NAME}\r\nx: y` }, 60791],
  ['another host than the authority', { host: 'other.example.com' }, 60219],
  ['a transfer coding', { 'transfer-encoding': 'chunked' }, 60791],
  ['an upgrade', { upgrade: 'h2c' }, 60791],
  ['a Connection field', { connection: 'x-forwarded-for' }, 60791],
  ['a scheme that is not that of the connection', { ':scheme': 'http' }, 60791],
  ['a space in a path', { ':path': '/a b' }, 60211],
  ['a tab in a path', { ':path': '/a\tb' }, 60211],
  ['a control byte behind one beyond ASCII in a path', { ':path': '/\xc3\x01' }, 60211],
  ['an unknown pseudo-header field', { ':status': '200' }, 60791],
  ['an empty path', { ':path': '' }, 60791],
  ['a length where no body follows', { 'content-length': '5' }, 60792],
] as const) {
  test(`${what} gets a response that names the fault, and goes nowhere`, async () => {
    const attacker = await Attacker.open(server);
    const before = asked;
    attacker.send(get(1, fields));
    assert.match((await attacker.frameOf(FrameType.data, 1)).toString(), new RegExp(`ERR_TEST_${code}`));
    const reset = (await attacker.frameOf(FrameType.rstStream, 1)).readUInt32BE();
    assert.equal(reset, Http2Error.protocol);
    attacker.send(get(3));
    await attacker.frameOf(FrameType.data, 3);
    assert.equal(asked, before + 1);
  });
}
