/**
 * The requests of a connection one after the other, each from its head to the end of its response.
 * Invariant: one route decides a request, and it gets one response.
 */
import type { MessageFault } from '@underpass/wire/http1';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { DialFault } from '../../errors/dial-fault.ts';
import type { Head } from '../../http-syntax/head.ts';
import type { ProxyConnection } from '../../online/online.ts';
import { isServed } from '../sites/is-served.ts';
import type { Backend, Reply, RequestFacts, RequestVerdict, Route, Site } from '../sites/site.ts';
import { replyEdits } from './answer-edits.ts';
import { AwaitedBody, type BodyAwaiter } from './awaited-body.ts';
import type { ExchangeOwner, RequestBody } from './exchange-owner.ts';
import { ExpectedAgent } from './expected-agent.ts';
import { Forwarded, upstreamHead } from './headers.ts';
import { fitsSite, type HttpConnection, siteOf } from './http-connection.ts';
import { followsRoute, Judgement } from './judgement.ts';
import { maxPasses, passesOf } from './loops.ts';
import { ProxyExchange } from './proxy-exchange.ts';
import { RecordDraft } from './record-draft.ts';
import type { Request } from './request.ts';
import { requestEdits } from './request-edits.ts';
import { CopiedFacts, UncopiedFacts } from './request-facts.ts';
import { respondError, respondReply } from './respond.ts';
import type { Shared } from './shared.ts';
import type { HalfClosed, UpstreamSide } from './visitor.ts';
import { type BridgeVisitor, WebSocketBridge } from './websocket-bridge.ts';
import { websocketHandshake } from './websocket-handshake.ts';

/** Request bodies up to this are read and thrown away for a backend that does not want them; beyond it, closing is cheaper. */
const DISCARDED_BODY = 64 * 1024;
const CONTINUE = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n');

/** Made once per connection, used for one request after another. */
export class Exchange implements BridgeVisitor, BodyAwaiter {
  readonly #shared: Shared;
  readonly #owner: ExchangeOwner;
  readonly #connection: HttpConnection;
  readonly #request: Request;
  readonly #body: RequestBody;
  readonly #forwarded: Forwarded;
  readonly #proxy: ProxyExchange;
  readonly #uncopied: UncopiedFacts;
  readonly #judgement: Judgement;
  readonly #agent: ExpectedAgent;
  /** Upstream side of the current request: the proxy, or a bridge. */
  #upstream: UpstreamSide;
  #proxied: ProxyConnection;
  #site: Site | null = null;
  #route: Route | null = null;
  /** The route that last allowed the running request. The request continues by the route that decided it. */
  #allowedBy: Route | null = null;
  #facts: CopiedFacts | null = null;
  readonly #record: RecordDraft;
  #path = '';
  #ends = false;
  /** True if a backend must respond, and its outcome is reported to a watcher. */
  #isWatched = false;
  /** True after observers were notified of this request, also of one without a backend. */
  #isTold = false;

  constructor(
    shared: Shared,
    owner: ExchangeOwner,
    connection: HttpConnection,
    request: Request,
    body: RequestBody,
  ) {
    this.#agent = new ExpectedAgent(shared, connection);
    this.#shared = shared;
    this.#owner = owner;
    this.#connection = connection;
    this.#request = request;
    this.#body = body;
    this.#record = new RecordDraft(shared, connection);
    const { clientAddr, serverAddr } = connection.facts;
    const proto = connection.negotiated === null ? 'http' : 'https';
    this.#forwarded = new Forwarded(clientAddr, shared.domain, proto);
    this.#uncopied = new UncopiedFacts(connection.facts, () => this.#record.decisions);
    this.#judgement = new Judgement(connection.facts, (guard, decision) => this.decided(guard, decision));
    this.#proxy = new ProxyExchange(shared, this, connection.source);
    this.#upstream = this.#proxy;
    this.#proxied = { clientAddr, serverAddr, proto, edgeType: '0', passthroughTls: false };
  }

  /** Coarse time of the last sign of life of the upstream. */
  get lastHeard(): number {
    return this.#upstream.lastHeard;
  }

  get halfClosed(): HalfClosed | null {
    return this.#upstream.halfClosed;
  }

  /** Drops the parts of the head that an unfinished exchange no longer needs. */
  settle(): void {
    this.#record.settle();
    this.#proxy.settle();
  }

  /** True if a guard that admitted the request now ends it. */
  get isOver(): boolean {
    const facts = this.#facts;
    if (facts === null || this.#allowedBy === null) return false;
    return this.#allowedBy.guards.some(
      (guard) => guard.reads === 'request' && guard.isOver?.(facts) === true,
    );
  }

  /** A request begins, even one that cannot be read. */
  begin(): void {
    this.#record.begin();
    this.#upstream = this.#proxy;
    this.#site = null;
    this.#route = null;
    this.#allowedBy = null;
    this.#agent.isAwaited = false;
    this.#facts = null;
    this.#path = '';
    this.#isWatched = false;
    this.#isTold = false;
  }

  /**
   * Chooses the route of the request whose head was just read, and checks its guards. `fixed` is its response if none
   * refuses it.
   */
  judge(site: Site, head: Head, fixed?: Reply): RequestVerdict | Promise<RequestVerdict> {
    this.#site = site;
    this.#record.asked(head, this.#request, site);
    this.#path = site.routesByPath ? this.#record.path : '';
    const route = site.route(this.#path);
    this.#route = route;
    this.#allowedBy = route;
    this.#facts = route.readsRequest
      ? new CopiedFacts(head, this.#connection.facts, this.#record.decisionMap(), route.guards)
      : null;
    if (this.#shared.streams.isIsolated()) return 'nodeIsolated';
    const verdict = this.#judgement.of(route, this.#facts, false);
    if (verdict === null && fixed !== undefined) return fixed;
    return verdict === null && this.#agent.isExpected && !isServed(site) ? this.#agent.comes() : verdict;
  }

  whenServed(goOn: (backend: Backend | null) => void): { cancel(): void } | null {
    return this.#agent.whenServed(() => goOn(this.#backendNow()));
  }

  /** The backend of its name, if the request may go there without a new judgement that takes time. */
  #backendNow(): Backend | null {
    const site = siteOf(this.#connection, this.#shared);
    if (site === undefined || site.account !== this.#site!.account || !fitsSite(this.#connection, site))
      return null;
    const route = site.route(site.routesByPath ? this.#record.path : '');
    if (!followsRoute(route, this.#allowedBy!, this.#facts !== null)) return null;
    if (this.#judgement.of(route, this.#facts, true) !== null) return null;
    this.#site = site;
    this.#allowedBy = route;
    return route.backend;
  }

  /** Returns true if the request would still be decided by the same route. */
  isStillDecidedBy(site: Site): boolean {
    return this.#route !== null && site.route(this.#path) === this.#route;
  }

  /** Acts on the verdict. `head` is the head once more; the body has been read as far as it came with it. */
  proceed(verdict: RequestVerdict, head: Head): void {
    const route = this.#route;
    const reason = verdict ?? route!.refusal ?? this.#loopIn(head);
    if (reason !== null) this.#keepBack(reason);
    else if (route!.bodyGuards.length > 0) this.#awaitBody(route!, head);
    else if (route!.converter !== null) this.#bridge(route!, head);
    else this.#forward(route!, head);
  }

  #loopIn(head: Head): ErrorName | null {
    return passesOf(head, this.#shared.domain) >= maxPasses ? 'requestLoops' : null;
  }

  #keepBack(verdict: NonNullable<RequestVerdict>): void {
    this.#tell(0);
    this.#answer(verdict);
  }

  #answer(verdict: NonNullable<RequestVerdict>): void {
    if (typeof verdict === 'string') this.fail(verdict);
    else if (verdict.kind === 'refusal') this.fail(verdict.error, verdict.values, verdict.reason);
    else {
      if (verdict.status >= 400) this.#record.reason = verdict.reason ?? verdict.body.toString().trim();
      this.reply(verdict);
    }
  }

  #bridge({ backend }: Route, head: Head): void {
    const fields = websocketHandshake(head, this.#request);
    if (typeof fields === 'string') {
      this.fail(fields);
      return;
    }
    this.decided('websocket_tcp_converter', 'convert');
    this.#isWatched = true;
    const { source } = this.#connection;
    const wanted = { backend, connection: this.#proxiedAs(this.#site!), source, tried: null };
    const bridge = new WebSocketBridge(this.#shared, this, wanted);
    this.#upstream = bridge;
    bridge.start(fields);
  }

  #proxiedAs({ edgeType }: Site): ProxyConnection {
    if (this.#proxied.edgeType !== edgeType) this.#proxied = { ...this.#proxied, edgeType };
    return this.#proxied;
  }

  #forward(route: Route, head: Head): void {
    const { from, to, tail } = this.#body;
    const first = from === to ? null : head.bytes.subarray(from, to);
    if (this.#shared.recordings.isOn) this.#record.tapBodies(this.#site!, head, this.#request);
    this.#record.admitted();
    if (first !== null) this.#record.received(first);
    const bytes = this.#headFor(route, head, first, this.#request.connection.dropped);
    this.#isWatched = true;
    this.#proxy.start(route.backend, this.#proxiedAs(this.#site!), this.#request, bytes);
    if (tail !== null) this.requestData(tail);
  }

  /** Returns the head for the backend, with the body's outcome. `dropped` are names of fields to remove. */
  #headFor(
    { requestEdits: all, isGuarded }: Route,
    head: Head,
    body: Buffer | null,
    dropped: ReadonlySet<string> | null,
  ): Buffer {
    const isEdited = all.length > 0 || dropped !== this.#request.connection.dropped;
    const edits = isEdited ? requestEdits(all, dropped, this.requestFacts) : null;
    return upstreamHead(head, this.#request, this.#forwarded, body, { edits, isGuarded });
  }

  #awaitBody(route: Route, head: Head): void {
    const { from, to, tail } = this.#body;
    const { framing, expectsContinue, connection } = this.#request;
    const limit = Math.min(...route.bodyGuards.map((guard) => guard.limit));
    // This edge sends 100 to the visitor. A backend that gets the whole body would send another.
    const dropped = expectsContinue ? new Set([...(connection.dropped ?? []), 'expect']) : connection.dropped;
    const awaited = { head: this.#headFor(route, head, null, dropped), framing, limit };
    if (this.#shared.recordings.isOn) this.#record.tapBodies(this.#site!, head, this.#request);
    const body = new AwaitedBody(this.#shared, this, awaited);
    this.#upstream = body;
    this.#isWatched = true;
    if (framing > limit) body.refuseTooLarge();
    else if (this.#body.done || from < to || tail !== null) {
      if (from < to) this.requestData(head.bytes.subarray(from, to));
      if (tail !== null) this.requestData(tail);
      if (this.#body.done) this.requestEnded();
    } else if (expectsContinue) this.relay(CONTINUE, false);
  }

  bodyArrived(body: AwaitedBody): void {
    const route = this.#route!;
    const verdict = this.#judgement.ofBody(route, this.requestFacts, body.data);
    if (verdict === null && route.converter === null) {
      this.#record.admitted();
      this.#upstream = this.#proxy;
      this.#proxy.start(route.backend, this.#proxiedAs(this.#site!), this.#request, body.head);
      for (const piece of body.pieces) this.#proxy.requestData(piece);
      this.#proxy.requestEnded();
      return;
    }
    this.#watch(0);
    this.#answer(verdict ?? 'websocketExpected');
  }

  // ----- what happens on the way

  requestData(bytes: Buffer): void {
    this.#record.received(bytes);
    this.#upstream.requestData(bytes);
  }

  requestEnded(): void {
    this.#upstream.requestEnded();
  }

  visitorEnded(): void {
    this.#upstream.visitorEnded();
  }

  visitorDrained(): void {
    this.#upstream.visitorDrained();
  }

  expire(): void {
    this.#upstream.expire();
  }

  /** Stops sending the request. A response can still be given. */
  stopForwarding(): void {
    this.#upstream.cancel();
  }

  /** The visitor no longer waits for the response. */
  cancel(): void {
    this.#upstream.cancel();
    this.#tell(0);
    this.#record.end(this.#site, this.#route, this.#facts);
  }

  /** Returns false if the exchange has to end, because its name leads elsewhere now. */
  isStillAllowed(site: Site | undefined): boolean {
    const before = this.#allowedBy;
    // It is judged again when its agent is there.
    if (before === null || this.#agent.isAwaited) return true;
    if (site === undefined || site.id !== this.#site!.id) return false;
    const route = site.route(this.#path);
    if (route === before) return true;
    // Of a body that is not there yet nothing went anywhere.
    if (this.#upstream instanceof AwaitedBody || !followsRoute(route, before, this.#facts !== null))
      return false;
    const { opener } = this.#upstream;
    if (opener !== null && !route.backend.leadsTo(opener)) return false;
    this.#site = site;
    this.#allowedBy = route;
    this.#upstream.movedTo(route.backend);
    const verdict = this.#judgement.of(route, this.#facts, true);
    if (verdict instanceof Promise) {
      const facts = this.#facts;
      const isStill = () => this.#allowedBy === route && this.#facts === facts;
      verdict.then(
        (later) => later !== null && isStill() && this.abort(),
        (error: unknown) => isStill() && this.crashed(error),
      );
      return true;
    }
    return verdict === null;
  }

  // ----- events and calls of the upstream's side

  get requestComplete(): boolean {
    return this.#body.done;
  }

  get route(): Route {
    return this.#route!;
  }

  get requestFacts(): RequestFacts {
    return this.#facts ?? this.#uncopied;
  }

  get isReused(): boolean {
    return this.#upstream.isReused;
  }

  decided(module: string, decision: string): void {
    this.#record.decided(module, decision);
  }

  endsAfterResponse(): boolean {
    this.#ends =
      this.#owner.mustClose || this.#request.connection.close || !this.#body.done || this.#shared.draining;
    return this.#ends;
  }

  answering(status: number): void {
    this.answeringFirst(status);
    this.#watch(status);
  }

  answeringFirst(status: number): void {
    this.#record.answering(status);
    this.#record.servedBy = this.#upstream.opener?.id ?? '';
    this.#record.credential = this.#upstream.opener?.facts?.credential ?? '';
    this.#record.isReused = this.#upstream.isReused;
  }

  backendSaid(status: number, error: ErrorName | null, fault: DialFault | null): void {
    this.#record.error = error;
    this.#record.unreached = fault;
    this.#record.servedBy = this.#upstream.opener?.id ?? this.#record.servedBy;
    this.#record.credential = this.#upstream.opener?.facts?.credential ?? this.#record.credential;
    this.#watch(status);
  }

  finished(): void {
    this.#ends = true;
    this.#watch(0);
    this.answered();
  }

  relay(bytes: Buffer, more: boolean): boolean {
    this.#record.sent(bytes);
    return this.#owner.write(bytes, more);
  }

  saved(bytes: number): void {
    this.#record.bytesSaved += bytes;
  }

  pauseBody(): void {
    this.#owner.pauseBody();
  }

  resumeBody(): void {
    this.#owner.resumeBody();
  }

  answered(): void {
    this.#record.end(this.#site, this.#route, this.#facts);
    this.#owner.answered(this.#ends);
  }

  reply(reply: Reply): void {
    const { isHead, connection, framing, expectsContinue } = this.#request;
    const readsRest = framing >= 0 && framing <= DISCARDED_BODY && !expectsContinue;
    this.#ends =
      this.#owner.mustClose || connection.close || this.#shared.draining || (!this.#body.done && !readsRest);
    this.#record.answering(reply.status);
    this.#record.servedBy = this.#isWatched ? this.#route!.backend.id : '';
    this.#watch(reply.status);
    const asked = { isHead, close: this.#ends };
    this.relay(respondReply(reply, replyEdits(reply, this), asked, this.#shared), this.#owner.hasMore);
    if (this.#body.done || this.#ends) {
      this.answered();
    } else {
      this.#record.end(this.#site, this.#route, this.#facts);
      this.#owner.discardBody();
    }
  }

  /** `reason`: for the owner alone, beside the message that the visitor reads. */
  fail(name: ErrorName, values: Readonly<Record<string, string>> = {}, reason?: string): void {
    if (!this.#record.isOpen) return;
    // Of a request that cannot be read it is known at least whose name it was sent to.
    this.#site ??= siteOf(this.#connection, this.#shared) ?? null;
    this.#record.error = name;
    if (this.#record.status !== 0) {
      this.abort();
      return;
    }
    const { limits } = this.#shared;
    const host = this.#connection.facts.serverName;
    const { isHead, wantsHtml } = this.#request;
    const { status, bytes, message } = respondError(
      name,
      { host, servername: host, limit: limits.headBytes, fields: limits.fields, ...values },
      { isHead, wantsHtml, close: this.endsAfterResponse() },
      this.#shared,
      this.#record.unreached,
    );
    this.#record.reason = reason ?? message;
    this.#record.answering(status);
    this.#watch(isOfBackend(name, status) ? status : 0);
    this.relay(bytes, false);
    this.answered();
  }

  get asked(): Forwarded {
    return this.#forwarded;
  }

  unreached(fault: DialFault): void {
    this.#record.unreached = fault;
  }

  upstreamFault(fault: MessageFault): void {
    this.#record.error = 'upstreamResponseInvalid';
    this.#record.fault = fault.text;
  }

  abort(): void {
    this.cancel();
    this.#owner.destroy();
  }

  switched(): void {
    this.#owner.switched();
  }

  endWriting(): void {
    this.#owner.endWriting();
  }

  crashed(error: unknown): void {
    this.#owner.crashed(error);
  }

  #watch(status: number): void {
    if (!this.#isWatched) return;
    this.#isWatched = false;
    this.#tell(status);
  }

  #tell(status: number): void {
    if (this.#isTold || this.#route === null) return;
    this.#isTold = true;
    for (const watch of this.#route.watches) watch.answered(status, this.#facts);
  }
}

/** Else it is the visitor's doing, and must not count against the backend. */
function isOfBackend(name: ErrorName, status: number): boolean {
  return status >= 500 && name !== 'tunnelBusyForSource';
}
