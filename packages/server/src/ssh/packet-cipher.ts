/** The contract between packets and ciphers, and the clear text that precedes the first keys. */

/** One direction under one key. Packets are sealed or opened in their order. */
export interface PacketCipher {
  /** Bytes of which the length of a packet is a multiple. */
  readonly blockBytes: number;
  /** The length field counts for that multiple, because it is encrypted with the packet. */
  readonly padsLength: boolean;
  /** First bytes of a packet, from which its length is read. */
  readonly headBytes: number;
  readonly tagBytes: number;
  /** `frame`: a whole packet from its length on. Returns its pieces in their order. */
  seal(sequence: number, frame: Buffer): readonly Buffer[];
  /** Returns the length that the head states; nothing has verified it yet. */
  readLength(sequence: number, head: Buffer): number;
  /** Returns the packet after its length, or null if the peer did not seal it. `rest` is what follows the head. */
  open(sequence: number, head: Buffer, rest: Buffer, tag: Buffer): Buffer | null;
}

export const lengthBytes = 4;

export const clearText: PacketCipher = {
  blockBytes: 8,
  padsLength: true,
  headBytes: lengthBytes,
  tagBytes: 0,
  seal: (_sequence, frame) => [frame],
  readLength: (_sequence, head) => head.readUInt32BE(),
  // The chunk's memory is the socket's own until the next chunk.
  open: (_sequence, _head, rest) => Buffer.from(rest),
};
