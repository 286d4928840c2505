/**
 * A subject that changes as a whole, with a number for each state, and visits during its changes.
 * Invariant: no visit is decided by parts of two generations, by one older than a confirmed change, or by one older
 * than an earlier visit's.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { eventually, inTime, type Platform } from '../harness/index.ts';
import { ConditionVariable } from '../harness/until.ts';

/** A visitor's response in the words of the subject; null if the connection ended without one. */
export type Heard = string | null;

export interface Subject {
  /** Resolves when the API has answered the one call that makes this generation of the one before. */
  change(generation: number): Promise<void>;
  /** Visits repeatedly from an address. */
  visitor(platform: Platform, from: string): Visits;
  /** All that a visitor from there hears of it. */
  answer(generation: number, from: string): Heard;
}

export interface Visits {
  ask(): Promise<Heard>;
  close(): void;
}

export const visitors = ['127.0.0.1', '127.0.0.2'] as const;

/**
 * Changes the subject so often, each time after a response to a visitor, while visitors from two addresses use each
 * daemon. The API of the first daemon makes the changes; others may be behind. Every visitor has at least one
 * response for every change.
 */
export async function visitWhileChanging(
  subject: Subject,
  platforms: readonly Platform[],
  changes: number,
): Promise<void> {
  await Promise.all(platforms.map((platform) => untilKnown(subject, platform)));
  const progress = new Progress();
  const changing = async (): Promise<void> => {
    while (progress.answered < changes && !progress.hasFailed) {
      await progress.nextAnswer();
      progress.begun += 1;
      await subject.change(progress.begun);
      progress.answered = progress.begun;
    }
  };
  const visiting = platforms.flatMap((platform, index) => {
    const daemon = { progress, platform, isBehind: index > 0, seen: 0 };
    return visitors.map((from) => keepVisiting(subject, daemon, from, changes));
  });
  await Promise.all([changing(), ...visiting]).catch((error: unknown) => {
    progress.hasFailed = true;
    throw error;
  });
}

/** A daemon that is behind may not know the subject yet. That is no generation. */
async function untilKnown(subject: Subject, platform: Platform): Promise<void> {
  for (const from of visitors) {
    const visitor = subject.visitor(platform, from);
    try {
      await eventually(async () => assert.equal(await visitor.ask(), subject.answer(0, from)));
    } finally {
      visitor.close();
    }
  }
}

class Progress {
  /** Generation of the last requested change, and of the last confirmed one. */
  begun = 0;
  answered = 0;
  /** All visitors stop after a failure. */
  hasFailed = false;
  readonly #answer = new ConditionVariable();
  #isAnswered = false;

  /** Records a response. */
  answer(): void {
    this.#isAnswered = true;
    this.#answer.notify();
  }

  /** Resolves after the next response. */
  async nextAnswer(): Promise<void> {
    await this.#answer.until(() => this.#isAnswered);
    this.#isAnswered = false;
  }
}

interface Daemon {
  readonly progress: Progress;
  readonly platform: Platform;
  readonly isBehind: boolean;
  /** Latest generation of a completed visit. */
  seen: number;
}

async function keepVisiting(subject: Subject, daemon: Daemon, from: string, changes: number): Promise<void> {
  const { progress, platform, isBehind } = daemon;
  const visitor = subject.visitor(platform, from);
  try {
    let count = 0;
    while ((count < changes || progress.answered < changes) && !progress.hasFailed) {
      const oldest = isBehind ? daemon.seen : Math.max(progress.answered, daemon.seen);
      const heard = await visitor.ask();
      const newest = progress.begun;
      const decisive = oldestDeciding(subject, from, heard, oldest, newest);
      if (decisive !== null) {
        daemon.seen = Math.max(daemon.seen, decisive);
        count += 1;
        progress.answer();
        continue;
      }
      // A change ends what it no longer allows, also a visit that has no answer yet.
      const wasEnded = heard === null && newest > oldest;
      assert.ok(wasEnded, `from ${from}, between ${oldest} and ${newest}: ${heard}`);
    }
  } finally {
    visitor.close();
  }
}

function oldestDeciding(
  { answer }: Subject,
  from: string,
  heard: Heard,
  oldest: number,
  newest: number,
): number | null {
  for (let generation = oldest; generation <= newest; generation += 1)
    if (answer(generation, from) === heard) return generation;
  return null;
}

/** Requests on a connection that is kept. What is heard of an answer is its status with the code or the header, and its body. */
export function requests(platform: Platform, host: string, from: string, path: string): Visits {
  let socket: Socket | null = null;
  const ask = async (): Promise<Heard> => {
    const wasKept = socket !== null && !socket.destroyed;
    if (socket === null || !wasKept)
      socket = await platform.client.tls(host, { localAddress: from }).catch(() => null);
    if (socket === null) return null;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const answer = await read(socket, isWholeAnswer);
    if (answer === null || /^connection: *close\r$/im.test(answer)) socket.destroy();
    // A kept connection may have ended before the request.
    if (answer === null) return wasKept ? await ask() : null;
    const [, code] = /^underpass-error-code: *\w*?_(\d+)\r$/im.exec(answer) ?? [];
    if (code !== undefined) return `${answer.slice(9, 12)} ${code}`;
    const [, generation = ''] = /^x-generation: *(.*)\r$/im.exec(answer) ?? [];
    return `${answer.slice(9, 12)} ${generation}: ${answer.slice(answer.indexOf('\r\n\r\n') + 4)}`;
  };
  return { ask, close: () => void socket?.destroy() };
}

/** Opens a connection for each visit, without a protocol. */
export function lines(open: () => Promise<Socket>): Visits {
  const ask = async (): Promise<Heard> => {
    const socket = await open().catch(() => null);
    if (socket === null) return null;
    socket.write('which?\n');
    const line = await read(socket, (text) => text.endsWith('\n'));
    socket.destroy();
    return line;
  };
  return { ask, close: () => {} };
}

export async function openPort(port: number, from: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  await once(socket, 'connect');
  socket.on('error', () => {});
  return socket;
}

function isWholeAnswer(text: string): boolean {
  const start = text.indexOf('\r\n\r\n') + 4;
  if (start === 3) return false;
  const [, length = '0'] = /^content-length: *(\d+)\r$/im.exec(text.slice(0, start)) ?? [];
  return text.length >= start + Number(length);
}

/** Reads until the text is complete; null if the connection ends before. */
async function read(socket: Socket, isWhole: (text: string) => boolean): Promise<Heard> {
  const { promise, resolve } = Promise.withResolvers<Heard>();
  let text = '';
  const take = (chunk: Buffer): void => {
    text += chunk.toString('latin1');
    if (isWhole(text)) resolve(text);
  };
  const end = (): void => resolve(null);
  socket.on('data', take).once('close', end);
  if (socket.destroyed) end();
  try {
    return await inTime(promise, () => `an answer, after ${text}`);
  } finally {
    socket.off('data', take).off('close', end);
  }
}

/** Servers that return their number, for requests and for bytes. For requests they also return the generation in a header. */
export class NumberedUpstreams {
  readonly ports: readonly number[];
  readonly #servers: readonly Server[];
  readonly #sockets: Set<Socket>;

  private constructor(servers: readonly Server[], sockets: Set<Socket>) {
    this.ports = servers.map((server) => (server.address() as AddressInfo).port);
    this.#servers = servers;
    this.#sockets = sockets;
  }

  static async start(count: number): Promise<NumberedUpstreams> {
    const sockets = new Set<Socket>();
    const servers = Array.from({ length: count }, (_, index) =>
      createServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => {}).once('close', () => sockets.delete(socket));
        socket.on('data', (chunk) => socket.write(reply(index, chunk.toString('latin1'))));
      }).listen(0, '127.0.0.1'),
    );
    await Promise.all(servers.map((server) => once(server, 'listening')));
    return new NumberedUpstreams(servers, sockets);
  }

  stop(): void {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

function reply(index: number, text: string): string {
  if (!text.startsWith('GET ')) return `${index}\n`;
  const [, generation = 'none'] = /^x-generation: *(.*)\r$/im.exec(text) ?? [];
  const body = `upstream ${index} for ${generation}`;
  return `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
