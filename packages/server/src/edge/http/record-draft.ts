/** The record of the request that is under way, as far as it is known. Never that a request has two records. */
import type { ErrorName } from '../../errors/catalogue.ts';
import type { Head } from '../../http-syntax/head.ts';
import type { Route, Site } from '../sites/site.ts';
import type { HttpConnection } from './http-connection.ts';
import type { Request } from './request.ts';
import { RequestLine } from './request-line.ts';
import type { Shared } from './shared.ts';

const nothing: ReadonlyMap<string, string> = new Map();

/** Made once per connection, and used for one request after another. */
export class RecordDraft {
  /** 0: there is no answer so far. */
  status = 0;
  error: ErrorName | null = null;
  servedBy = '';
  bytesIn = 0;
  bytesOut = 0;
  bytesSaved = 0;
  readonly #shared: Shared;
  readonly #connection: HttpConnection['facts'];
  readonly #line = new RequestLine();
  #decisions: Map<string, string> | null = null;
  #startedAt = 0;
  #answeredAt = 0;
  #isOpen = false;

  constructor(shared: Shared, connection: HttpConnection['facts']) {
    this.#shared = shared;
    this.#connection = connection;
  }

  /** From `begin` to `end`. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** A request begins, even one that cannot be read. */
  begin(): void {
    this.#isOpen = true;
    this.#line.forget();
    this.#decisions = null;
    this.status = 0;
    this.error = null;
    this.servedBy = '';
    this.bytesIn = 0;
    this.bytesOut = 0;
    this.bytesSaved = 0;
    if (this.#shared.observe !== null) this.#startedAt = this.#shared.now();
  }

  /** Its head was read, or is judged once more: nothing is decided so far. */
  asked(head: Head, request: Request): void {
    this.#line.begin(head, request);
    this.#decisions = null;
  }

  /** Without the query; of use until the record is made. */
  get path(): string {
    return this.#line.path;
  }

  decided(module: string, decision: string): void {
    this.decisionMap().set(module, decision);
  }

  get decisions(): ReadonlyMap<string, string> {
    return this.#decisions ?? nothing;
  }

  /** For somebody who keeps it, and sees in it what is decided later. */
  decisionMap(): Map<string, string> {
    this.#decisions ??= new Map();
    return this.#decisions;
  }

  /** The answer begins. */
  answering(status: number): void {
    this.status = status;
    if (this.#shared.observe !== null) this.#answeredAt = this.#shared.now();
  }

  /** The request is over; asked once more, it does nothing. */
  end(site: Site | null, route: Route | null): void {
    const { observe } = this.#shared;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (observe === null) return;
    const account = site?.account ?? '';
    const isShown = this.error !== null || this.#shared.recordsRequests(account);
    observe({
      kind: 'http',
      site: site?.id ?? '',
      account,
      route: route?.id ?? '',
      backend: route?.backend.id ?? '',
      servedBy: this.servedBy,
      connection: this.#connection,
      method: isShown ? this.#line.method : '',
      path: isShown ? this.#line.path : '',
      status: this.status,
      bytesIn: this.bytesIn,
      bytesOut: this.bytesOut,
      bytesSaved: this.bytesSaved,
      durationMs: this.#shared.now() - this.#startedAt,
      firstByteMs: this.status === 0 ? null : this.#answeredAt - this.#startedAt,
      decisions: this.decisions,
      error: this.error,
    });
    this.#line.forget();
  }
}
