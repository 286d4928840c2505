/**
 * The record of a running request, as far as it is known.
 * Invariant: a request has one record.
 */
import type { ErrorName } from '../../errors/catalogue.ts';
import type { DialFault } from '../../errors/dial-fault.ts';
import { CHUNKED } from '../../http-syntax/framing.ts';
import type { Head } from '../../http-syntax/head.ts';
import { everyRouteOf } from '../sites/every-route.ts';
import { nobody } from '../sites/exchange-record.ts';
import { keptHead, type RecordedHeads } from '../sites/recorded-heads.ts';
import type { RequestFacts, Route, Site, Visitor } from '../sites/site.ts';
import { BodyTap } from './body-tap.ts';
import type { HttpConnection } from './http-connection.ts';
import type { Request } from './request.ts';
import { RequestLine } from './request-line.ts';
import type { Shared } from './shared.ts';

const nothing: ReadonlyMap<string, string> = new Map();
/** The status after which the connection carries something else than bodies. */
const SWITCHES = 101;
const HEAD_END = Buffer.from('\r\n\r\n');

/** Made once per connection, and used for one request after another. */
export class RecordDraft {
  /** 0: there is no answer so far. */
  status = 0;
  error: ErrorName | null = null;
  /** The fault of the upstream's response, with the offending line. */
  fault: string | null = null;
  /** The cause why no place gave a response. */
  unreached: DialFault | null = null;
  /** Reason of a refusal by the edge. */
  reason: string | null = null;
  servedBy = '';
  credential = '';
  bytesIn = 0;
  isReused = false;
  bytesSaved = 0;
  readonly #shared: Shared;
  readonly #connection: Pick<HttpConnection, 'facts' | 'isHttp2'>;
  readonly #line = new RequestLine();
  #decisions: Map<string, string> | null = null;
  #startedAt = 0;
  #answeredAt = 0;
  #isOpen = false;
  #bytesOut = 0;
  /** Null if no event of the account needs it. */
  #requestHead: string | null = null;
  #version: RecordedHeads['version'] = 'HTTP/1.1';
  #responseHead: string | null = null;
  #bytesBeforeBody = 0;
  #awaitsHead = false;
  /** Null: the bodies are not recorded. */
  #tap: BodyTap | null = null;

  constructor(shared: Shared, connection: Pick<HttpConnection, 'facts' | 'isHttp2'>) {
    this.#shared = shared;
    this.#connection = connection;
  }

  /** True from `begin` to `end`. */
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
    this.fault = null;
    this.unreached = null;
    this.reason = null;
    this.servedBy = '';
    this.credential = '';
    this.bytesIn = 0;
    this.bytesSaved = 0;
    this.isReused = false;
    this.#bytesOut = 0;
    this.#requestHead = null;
    this.#responseHead = null;
    this.#bytesBeforeBody = 0;
    this.#awaitsHead = false;
    this.#tap?.drop();
    this.#tap = null;
    if (this.#shared.observe !== null) this.#startedAt = this.#shared.now();
  }

  /** Its head was read, or is judged once more: nothing is decided so far. */
  asked(head: Head, request: Request, { account }: Site): void {
    this.#line.begin(head, request);
    this.#decisions = null;
    const isTold = this.#shared.recorded(account) === 'heads';
    this.#requestHead = isTold ? keptHead(head.bytes, head.start, head.end) : null;
    this.#version = this.#connection.isHttp2 === true ? 'HTTP/2.0' : `HTTP/1.${request.isHttp10 ? 0 : 1}`;
  }

  /** Records the bodies from now on, if the owner of the site wants it. */
  tapBodies(site: Site, head: Head, { framing }: Request): void {
    const place = this.#shared.recordings.begin(site);
    if (place === null) return;
    this.#tap = new BodyTap(place, head.bytes.toString('latin1', head.start, head.end), framing === CHUNKED);
  }

  /** No module has refused the request. */
  admitted(): void {
    if (this.#tap !== null) this.#tap.isAdmitted = true;
  }

  /** Counts bytes of the request body. */
  received(bytes: Buffer): void {
    this.bytesIn += bytes.length;
    this.#tap?.requestData(bytes);
  }

  /** The path without the query, valid until the record is made. */
  get path(): string {
    return this.#line.path;
  }

  /** Its answer waits. */
  settle(): void {
    this.#line.settle();
  }

  decided(module: string, decision: string): void {
    this.decisionMap().set(module, decision);
  }

  get decisions(): ReadonlyMap<string, string> {
    return this.#decisions ?? nothing;
  }

  /** Returns the decisions, with later ones added to the same map. */
  decisionMap(): Map<string, string> {
    this.#decisions ??= new Map();
    return this.#decisions;
  }

  /** The answer begins: what is sent next begins with its head. */
  answering(status: number): void {
    this.status = status;
    this.#awaitsHead = this.#requestHead !== null;
    if (this.#tap !== null && status === SWITCHES) {
      this.#tap.drop();
      this.#tap = null;
    }
    this.#tap?.answering();
    if (this.#shared.observe !== null) this.#answeredAt = this.#shared.now();
  }

  /** Counts bytes to the visitor. */
  sent(bytes: Buffer): void {
    if (this.#awaitsHead) this.#keepResponseHead(bytes);
    this.#tap?.sent(bytes);
    this.#bytesOut += bytes.length;
  }

  #keepResponseHead(bytes: Buffer): void {
    this.#awaitsHead = false;
    const end = bytes.indexOf(HEAD_END) + 4;
    this.#responseHead = keptHead(bytes, 0, end);
    this.#bytesBeforeBody = this.#bytesOut + end;
  }

  #heads(): RecordedHeads | null {
    const request = this.#requestHead;
    if (request === null) return null;
    const bytesBeforeBody = this.#bytesBeforeBody;
    return { request, response: this.#responseHead, bytesBeforeBody, version: this.#version };
  }

  /** `facts` is null if the route does not read the request. */
  #visitors(route: Route | null, facts: RequestFacts | null): ReadonlyMap<string, Visitor> {
    if (this.#requestHead === null || route === null || facts === null) return nobody;
    const visitors = new Map<string, Visitor>();
    for (const guard of route.guards) {
      if (guard.reads !== 'request' || !this.decisions.has(guard.name)) continue;
      const visitor = guard.visitorOf?.(facts);
      if (visitor !== undefined) visitors.set(guard.name, visitor);
    }
    return visitors;
  }

  /** Ends the record. Further calls have no effect. */
  end(site: Site | null, route: Route | null, facts: RequestFacts | null): void {
    const { observe } = this.#shared;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const bodies = this.#tap === null ? null : this.#tap.end();
    this.#tap = null;
    if (observe === null) return;
    const account = site?.account ?? '';
    const isFailure = this.error !== null || this.reason !== null || this.status >= 400 || this.status === 0;
    const isShown = isFailure || bodies !== null || this.#shared.recorded(account) !== 'outcome';
    observe({
      kind: 'http',
      site: site?.id ?? '',
      account,
      route: route?.id ?? '',
      backend: route?.backend.id ?? '',
      servedBy: this.servedBy,
      credential: this.credential,
      endpoint: site?.endpoint ?? '',
      connection: this.#connection.facts,
      method: isShown ? this.#line.method : '',
      path: isShown ? this.#line.path : '',
      query: isShown ? this.#line.query : '',
      status: this.status,
      bytesIn: this.bytesIn,
      bytesOut: this.#bytesOut,
      heads: this.#heads(),
      bodies,
      isReused: this.isReused,
      bytesSaved: this.bytesSaved,
      durationMs: this.#shared.now() - this.#startedAt,
      firstByteMs: this.status === 0 ? null : this.#answeredAt - this.#startedAt,
      decisions: this.decisions,
      visitors: this.#visitors(route, facts),
      error: this.error,
      fault: this.fault ?? this.unreached?.text ?? null,
      reason: this.reason,
      // A request that cannot be read has no route.
      to: route?.backend ?? (this.error === null || site === null ? null : everyRouteOf(site)),
    });
    this.#line.forget();
  }
}
