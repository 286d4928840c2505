/**
 * The connection protocol (RFC 4254): channels and global requests of a client that is authenticated. Never more channels than the
 * bound, those counted that the client has yet to close.
 */
import { ErrorCode } from '@underpass/wire';
import { boolean, Reader, string, uint32, WireError } from '../pki/ssh/index.ts';
import { Channel, type ChannelLink, type ChannelPeer, ownSide } from './channel.ts';
import { joinChannels } from './join-channels.ts';
import { Disconnect, Message, OpenFailure } from './numbers.ts';
import { Replies } from './replies.ts';
import { SessionChannel } from './session-channel.ts';
import { SshError } from './ssh-error.ts';

/** A client with more unanswered requests is not well-behaved. */
const mostWaitingReplies = 64;

/** Address and port that a client wants forwarded, as it wrote them. */
export interface ForwardRequest {
  readonly address: string;
  readonly port: number;
}

export interface ConnectionHandler {
  /** Answers why it is refused; null: it was taken. */
  session(channel: SessionChannel): string | null;
  /** `answer` is called once, with the port, or null for a refusal. */
  forward(request: ForwardRequest, answer: (port: number | null) => void): void;
  /** Returns true if there was such a forward. */
  cancel(request: ForwardRequest): boolean;
  /** The forward of the client itself that a `direct-tcpip` channel to `target` leads to; null: the channel is refused. */
  leadsBack(target: ForwardRequest): ForwardRequest | null;
  /** The words with which a channel of that type is refused. */
  refusal(type: string): string;
}

export interface ConnectionOptions {
  readonly channels: number;
  readonly handler: ConnectionHandler;
}

type Link = Pick<ChannelLink, 'send' | 'isCongested'>;

export class SshConnection implements ChannelLink {
  readonly #link: Link;
  readonly #options: ConnectionOptions;
  readonly #channels = new Map<number, Channel>();
  /** Channels with data that wait for room, in the order of their arrival. */
  #waiting = new Set<Channel>();
  readonly #replies: Replies;
  #nextId = 0;

  constructor(link: Link, options: ConnectionOptions) {
    this.#link = link;
    this.#options = options;
    this.#replies = new Replies((reply) => link.send(reply));
  }

  get isCongested(): boolean {
    return this.#link.isCongested;
  }

  send(...parts: readonly Buffer[]): void {
    this.#link.send(...parts);
  }

  wait(channel: Channel): void {
    this.#waiting.add(channel);
  }

  release(channel: Channel): void {
    this.#channels.delete(channel.id);
    this.#waiting.delete(channel);
  }

  /** There is room again: each waiting channel is served once, and joins at the end. */
  drain(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const channel of waiting) {
      if (this.isCongested) this.#waiting.add(channel);
      else channel.serve();
    }
  }

  /** Opens a channel for a connection that has come to what was forwarded; null: the client has too many. */
  open(forward: ForwardRequest, from: { readonly address: string; readonly port: number }): Channel | null {
    if (this.#channels.size >= this.#options.channels) return null;
    const channel = new Channel(this.#takeId(), this);
    this.#channels.set(channel.id, channel);
    this.send(
      Buffer.of(Message.channelOpen),
      string('forwarded-tcpip'),
      ...ownSide(channel.id),
      ...[string(forward.address), uint32(forward.port)],
      ...[string(from.address), uint32(from.port)],
    );
    return channel;
  }

  /** Sends a keepalive request. Every client responds, even if it does not know the request. */
  beat(): void {
    this.send(Buffer.of(Message.globalRequest), string('keepalive@openssh.com'), boolean(true));
  }

  /** Call it after the end of the connection. */
  lost(): void {
    for (const channel of [...this.#channels.values()]) channel.lost(ErrorCode.sessionClosed);
  }

  /** A message from 80 on. Raises SshError, WireError. */
  message(payload: Buffer): void {
    const reader = new Reader(payload.subarray(1));
    const type = payload[0];
    switch (type) {
      case Message.globalRequest:
        this.#global(reader);
        return;
      case Message.requestSuccess:
      case Message.requestFailure:
        return;
      case Message.channelOpen:
        this.#opened(reader);
        return;
      default:
        this.#ofChannel(type ?? 0, reader);
    }
  }

  #global(reader: Reader): void {
    const name = reader.text();
    const wantsReply = reader.boolean();
    if (this.#replies.waiting >= mostWaitingReplies)
      throw new SshError('too many requests that are not answered yet', Disconnect.protocolError);
    const reply = wantsReply ? this.#replies.reserve() : () => {};
    const failure = Buffer.of(Message.requestFailure);
    const { handler } = this.#options;
    if (name === 'tcpip-forward') {
      const request = readForward(reader);
      handler.forward(request, (port) => reply(port === null ? failure : success(request, port)));
    } else if (name === 'cancel-tcpip-forward') {
      const isKnown = handler.cancel(readForward(reader));
      reply(isKnown ? Buffer.of(Message.requestSuccess) : failure);
    } else reply(failure);
  }

  #opened(reader: Reader): void {
    const type = reader.text();
    const peer: ChannelPeer = { id: reader.uint32(), window: reader.uint32(), packetBytes: reader.uint32() };
    if (type === 'direct-tcpip' && this.#openBack(peer, reader)) return;
    if (type !== 'session') {
      this.#refuse(peer, OpenFailure.prohibited, this.#options.handler.refusal(type));
      return;
    }
    if (this.#channels.size >= this.#options.channels) {
      this.#refuse(peer, OpenFailure.resourceShortage, 'too many channels are open');
      return;
    }
    const channel = new SessionChannel(this.#takeId(), this, peer);
    const refusal = this.#options.handler.session(channel);
    if (refusal !== null) {
      this.#refuse(peer, OpenFailure.prohibited, refusal);
      return;
    }
    this.#channels.set(channel.id, channel);
    this.send(Buffer.of(Message.channelOpenConfirmation), uint32(peer.id), ...ownSide(channel.id));
    channel.confirmed(peer);
  }

  /** Joins a channel of the client to another one that leads back to it. False: it leads elsewhere. */
  #openBack(peer: ChannelPeer, reader: Reader): boolean {
    const wanted = readDirect(reader);
    const forward = wanted && this.#options.handler.leadsBack(wanted.target);
    if (wanted === null || forward === null) return false;
    const channel = new Channel(this.#takeId(), this);
    this.#channels.set(channel.id, channel);
    const back = this.open(forward, wanted.from);
    if (back === null) {
      this.#channels.delete(channel.id);
      this.#refuse(peer, OpenFailure.resourceShortage, 'too many channels are open');
      return true;
    }
    joinChannels(channel, back);
    this.send(Buffer.of(Message.channelOpenConfirmation), uint32(peer.id), ...ownSide(channel.id));
    channel.confirmed(peer);
    return true;
  }

  #refuse(peer: ChannelPeer, reason: OpenFailure, text: string): void {
    this.send(
      Buffer.of(Message.channelOpenFailure),
      uint32(peer.id),
      uint32(reason),
      string(text),
      string(''),
    );
  }

  #ofChannel(type: number, reader: Reader): void {
    const channel = this.#channels.get(reader.uint32());
    if (channel === undefined) throw new SshError('a message is for a channel that is not there');
    switch (type) {
      case Message.channelOpenConfirmation:
        channel.confirmed({ id: reader.uint32(), window: reader.uint32(), packetBytes: reader.uint32() });
        return;
      case Message.channelOpenFailure:
        if (channel.peer !== null) throw new SshError('a channel that is open was refused');
        reader.uint32();
        channel.refused(reader.text());
        return;
      default:
    }
    if (channel.peer === null) throw new SshError('a message is for a channel that is not open');
    switch (type) {
      case Message.channelWindowAdjust:
        channel.addCredit(reader.uint32());
        return;
      case Message.channelData:
        channel.receive(reader.string());
        return;
      case Message.channelExtendedData:
        reader.uint32();
        channel.receive(reader.string());
        return;
      case Message.channelEof:
        channel.receiveEnd();
        return;
      case Message.channelClose:
        channel.receiveClose();
        return;
      case Message.channelRequest:
        this.#request(channel, reader);
        return;
      case Message.channelSuccess:
      case Message.channelFailure:
        return;
      default:
        throw new SshError(`there is no message of type ${type}`);
    }
  }

  #request(channel: Channel, reader: Reader): void {
    const type = reader.text();
    const wantsReply = reader.boolean();
    if (channel instanceof SessionChannel) channel.request(type, wantsReply, reader);
    else if (wantsReply && channel.peer !== null)
      this.send(Buffer.of(Message.channelFailure), uint32(channel.peer.id));
  }

  #takeId(): number {
    while (this.#channels.has(this.#nextId)) this.#nextId = (this.#nextId + 1) >>> 0;
    const id = this.#nextId;
    this.#nextId = (this.#nextId + 1) >>> 0;
    return id;
  }
}

/** The destination of a `direct-tcpip` channel and its originator; null if they are malformed, so that the channel alone is refused. */
function readDirect(reader: Reader): Record<'target' | 'from', ForwardRequest> | null {
  try {
    const target = { address: reader.text(), port: reader.uint32() };
    return { target, from: { address: reader.text(), port: reader.uint32() } };
  } catch (error) {
    if (error instanceof WireError) return null;
    throw error;
  }
}

function readForward(reader: Reader): ForwardRequest {
  const request = { address: reader.text(), port: reader.uint32() };
  reader.end();
  return request;
}

/** The response has the port only if the request left it open. */
function success({ port: asked }: ForwardRequest, port: number): Buffer {
  const message = Buffer.of(Message.requestSuccess);
  return asked === 0 ? Buffer.concat([message, uint32(port)]) : message;
}
