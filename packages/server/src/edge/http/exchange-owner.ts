/** The visitor's side of an exchange, as the exchange sees it: the connection or HTTP/2 stream that it is on. */

/** The body of a request, as far as it was read. */
export interface RequestBody {
  /** All of it was read. */
  readonly done: boolean;
  /** Bounds of the part that came in the buffer of the head, and the bytes that go on behind that part. */
  readonly from: number;
  readonly to: number;
  readonly tail: Buffer | null;
}

export interface ExchangeOwner {
  /** True if the connection ends after this response, whatever the request has. */
  readonly mustClose: boolean;
  /** Another request has come already. */
  readonly hasMore: boolean;
  /** Writes bytes of a response in the form of HTTP/1.1. False: the visitor is slow, and `visitorDrained` follows. */
  write(bytes: Buffer, more: boolean): boolean;
  pauseBody(): void;
  resumeBody(): void;
  /** The response is written; `ends`: the connection ends with it. */
  answered(ends: boolean): void;
  /** The response is written, and the rest of the request's body has no use. */
  discardBody(): void;
  switched(): void;
  endWriting(): void;
  /** Ends the connection at once. */
  destroy(): void;
  crashed(error: unknown): void;
}
