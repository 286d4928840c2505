/** The channel of a session (RFC 4254, section 6): passes requests to its handler, and text back. */
import { boolean, type Reader, string, uint32 } from '../pki/ssh/index.ts';
import { Channel, type ChannelLink, type ChannelPeer } from './channel.ts';
import { Message } from './numbers.ts';
import { readSessionRequest, type SessionRequest } from './session-request.ts';

const stderr = 1;

/** Returns true if the request is done. A handler that refuses it writes the reason itself. */
export type SessionHandler = (request: SessionRequest) => boolean;

export class SessionChannel extends Channel {
  readonly #link: ChannelLink;
  readonly #peer: ChannelPeer;
  /** Set once, at once after it was opened. */
  onRequest: SessionHandler = () => false;
  #hasExited = false;
  /** The request that is being handled has no response yet. */
  #owesResponse = false;

  constructor(id: number, link: ChannelLink, peer: ChannelPeer) {
    super(id, link);
    this.#link = link;
    this.#peer = peer;
  }

  /** Writes text for people. False: the client reads more slowly than the text is written. */
  print(text: string): boolean {
    return this.write(Buffer.from(text));
  }

  /** Writes to stderr, so that programs do not read it as output. The text is short and counts in no window. */
  complain(text: string): void {
    if (this.closed) return;
    const code = uint32(stderr);
    this.#link.send(
      Buffer.of(Message.channelExtendedData),
      uint32(this.#peer.id),
      code,
      string(`${text}\r\n`),
    );
  }

  /** Call it after the end of the command. */
  exit(status: number): void {
    if (this.closed || this.#hasExited) return;
    this.#hasExited = true;
    // Most clients take a command that ended before this for one that was refused.
    this.#respond(true);
    const request = [uint32(this.#peer.id), string('exit-status'), boolean(false), uint32(status)];
    this.#link.send(Buffer.of(Message.channelRequest), ...request);
    // A client on a terminal ends no side of its own before.
    this.finish();
  }

  /** Raises WireError. */
  request(type: string, wantsReply: boolean, reader: Reader): void {
    this.#owesResponse = wantsReply;
    this.#respond(this.onRequest(readSessionRequest(type, reader)));
  }

  #respond(isDone: boolean): void {
    if (!this.#owesResponse || this.closed) return;
    this.#owesResponse = false;
    this.#link.send(
      Buffer.of(isDone ? Message.channelSuccess : Message.channelFailure),
      uint32(this.#peer.id),
    );
  }
}
