/** A client that sends bytes as they are and reads answers one after the other. */
import type { Socket } from 'node:net';
import { ConditionVariable } from '../../../../test/harness/until.ts';

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** The body when it is JSON, else {}; the tests know the shape that they expect. */
  readonly json: Record<string, unknown> & { details?: Record<string, unknown> };
}

export class RawClient {
  readonly socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #ended = false;
  readonly #changes = new ConditionVariable();

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#changes.notify();
    });
    const end = (): void => {
      this.#ended = true;
      this.#changes.notify();
    };
    socket.on('end', end);
    socket.on('close', end);
    socket.on('error', end);
  }

  send(...parts: (string | Buffer)[]): void {
    for (const part of parts) if (part.length > 0) this.socket.write(part);
  }

  /** The next response; `method` decides if it has a body. */
  async answer(method = 'GET'): Promise<Answer> {
    const headEnd = await this.#position('\r\n\r\n');
    const [line = '', ...fields] = this.#received.subarray(0, headEnd).toString().split('\r\n');
    const headers = new Map(
      fields.map(
        (field) =>
          [
            field.slice(0, field.indexOf(':')).toLowerCase(),
            field.slice(field.indexOf(':') + 1).trim(),
          ] as const,
      ),
    );
    this.#received = this.#received.subarray(headEnd + 4);
    const length = method === 'HEAD' ? 0 : Number(headers.get('content-length') ?? 0);
    await this.#until(() => this.#received.length >= length);
    const text = this.#received.subarray(0, length).toString();
    this.#received = this.#received.subarray(length);
    const isJson = headers.get('content-type') === 'application/json' && text !== '';
    return { status: Number(line.split(' ')[1]), headers, text, json: isJson ? JSON.parse(text) : {} };
  }

  /** Resolves when the server has ended the connection; answers what was left unread. */
  async ended(): Promise<string> {
    await this.#changes.until(
      () => this.#ended,
      () => `an end of what began ${this.#beginning}`,
    );
    return this.#received.toString();
  }

  async #position(mark: string): Promise<number> {
    await this.#until(() => this.#received.includes(mark));
    return this.#received.indexOf(mark);
  }

  async #until(condition: () => boolean): Promise<void> {
    await this.#changes.until(
      () => {
        if (condition()) return true;
        if (this.#ended) throw new Error(`the connection ended after ${this.#beginning}`);
        return false;
      },
      () => `more than ${this.#beginning}`,
    );
  }

  get #beginning(): string {
    return JSON.stringify(this.#received.subarray(0, 2000).toString());
  }
}
