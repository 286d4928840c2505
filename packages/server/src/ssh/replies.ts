/**
 * Responses to global requests.
 * Invariant: they keep their order, because clients match them by order alone (RFC 4254, section 4).
 */

export class Replies {
  readonly #send: (reply: Buffer) => void;
  /** Oldest first; null for one that is not known yet. */
  readonly #waiting: { reply: Buffer | null }[] = [];

  constructor(send: (reply: Buffer) => void) {
    this.#send = send;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes the place of the next answer; the function that comes back gives it, once. */
  reserve(): (reply: Buffer) => void {
    const place: { reply: Buffer | null } = { reply: null };
    this.#waiting.push(place);
    return (reply) => {
      place.reply ??= reply;
      this.#flush();
    };
  }

  #flush(): void {
    for (let first = this.#waiting[0]; first?.reply != null; first = this.#waiting[0]) {
      this.#waiting.shift();
      this.#send(first.reply);
    }
  }
}
