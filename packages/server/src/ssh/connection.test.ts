/** Channels that end are forgotten, and their owners hear of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode, noopHandler } from '@underpass/wire';
import { uint32 } from '../pki/ssh/index.ts';
import { SshConnection } from './connection.ts';
import { Message } from './numbers.ts';

const forward = { address: '', port: 80 };
const from = { address: '192.0.2.1', port: 1 };

function start(channels = 4) {
  const sent: Buffer[] = [];
  const link = {
    isCongested: false,
    send: (...parts: readonly Buffer[]) => void sent.push(Buffer.concat(parts)),
  };
  const connection = new SshConnection(link, {
    channels,
    handler: {
      session: () => null,
      forward() {},
      cancel: () => false,
      leadsBack: () => null,
      refusal: () => '',
    },
  });
  const codes: ErrorCode[] = [];
  const open = () => {
    const channel = connection.open(forward, from);
    if (channel !== null) channel.handler = { ...noopHandler, close: (code) => codes.push(code) };
    return channel;
  };
  const confirm = (id: number) =>
    connection.message(
      Buffer.concat([Buffer.of(Message.channelOpenConfirmation), ...[id, id, 1 << 20, 32_768].map(uint32)]),
    );
  const tell = (type: number, id: number) => connection.message(Buffer.concat([Buffer.of(type), uint32(id)]));
  return { connection, link, sent, codes, open, confirm, tell };
}

test('the end of the connection ends each channel once, whatever state it is in, and leaves room for as many', () => {
  const { connection, codes, open, confirm } = start();
  const channels = [open(), open(), open(), open()];
  assert.equal(open(), null);
  confirm(0);
  confirm(1);
  channels[1]!.end();
  confirm(2);
  channels[2]!.reset(ErrorCode.streamCancelled);
  connection.lost();
  connection.lost();
  const { streamCancelled, sessionClosed } = ErrorCode;
  assert.deepEqual(codes, [streamCancelled, sessionClosed, sessionClosed, sessionClosed]);
  for (const channel of channels) assert.equal(channel!.closed, true);
  assert.deepEqual(
    [open(), open(), open(), open()].map((channel) => channel !== null),
    [true, true, true, true],
  );
});

test('a channel that both sides have closed is forgotten, and one that the client has yet to close is not', () => {
  const { open, confirm, tell } = start(1);
  const first = open();
  confirm(0);
  first!.reset(ErrorCode.streamCancelled);
  assert.equal(open(), null);
  tell(Message.channelClose, 0);
  assert.notEqual(open(), null);
  assert.throws(() => tell(Message.channelClose, 0), /not there/);
});

test('a channel that was refused is forgotten', () => {
  const { codes, open, connection } = start(1);
  const first = open();
  connection.message(
    Buffer.concat([Buffer.of(Message.channelOpenFailure), uint32(0), uint32(2), uint32(0), uint32(0)]),
  );
  assert.equal(first!.failure, 'upstreamUnreachable');
  assert.deepEqual(codes, [ErrorCode.streamRefused]);
  assert.notEqual(open(), null);
});

test('a channel that waits for room is served once there is some, and no more once it is forgotten', () => {
  const { connection, link, sent, open, confirm } = start();
  const [first, second] = [open()!, open()!];
  confirm(0);
  confirm(1);
  let served = 0;
  second.serve = () => {
    served += 1;
  };
  link.isCongested = true;
  first.write(Buffer.from('waits'));
  connection.wait(second);
  connection.drain();
  assert.equal(served, 0);
  connection.release(second);
  link.isCongested = false;
  const before = sent.length;
  connection.drain();
  assert.deepEqual([served, sent.length - before], [0, 1]);
  connection.drain();
  assert.equal(sent.length - before, 1);
});
