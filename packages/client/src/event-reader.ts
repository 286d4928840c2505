/**
 * Reads server-sent events from pieces of text (WHATWG HTML, section 9.2.6).
 * Invariant: an event that is too large is an error, so that the memory is bounded.
 */

export interface RawEvent {
  readonly event: string;
  readonly data: string;
  /** The last id that was sent, with this event or before. */
  readonly id: string;
}

/** Characters of one event. The API's are far smaller. */
const EVENT_LIMIT = 1024 * 1024;
const LINE_END = /\r\n|\n|\r(?!$)/;

export class EventReader {
  #rest = '';
  #event = '';
  #data: string[] = [];
  #size = 0;
  /** The last id that was sent; '' before the first. */
  lastId: string;
  /** Milliseconds before a reconnect, if the server sent them; null otherwise. */
  retryMs: number | null = null;

  /** `lastId`: that of an earlier connection. */
  constructor(lastId: string) {
    this.lastId = lastId;
  }

  /** Returns the events that end in the text. Throws Error for one that is too large. */
  push(text: string): readonly RawEvent[] {
    const events: RawEvent[] = [];
    const lines = (this.#rest + text).split(LINE_END);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') this.#field(line);
      else if (this.#data.length > 0) events.push(this.#take());
      else this.#event = '';
    }
    if (this.#size + this.#rest.length > EVENT_LIMIT)
      throw new Error(`an event has more than ${EVENT_LIMIT} characters`);
    return events;
  }

  #take(): RawEvent {
    const event = { event: this.#event || 'message', data: this.#data.join('\n'), id: this.lastId };
    this.#event = '';
    this.#data = [];
    this.#size = 0;
    return event;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.#event = value;
    else if (name === 'data') {
      this.#data.push(value);
      this.#size += value.length;
    } else if (name === 'id' && !value.includes('\0')) this.lastId = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
  }
}
