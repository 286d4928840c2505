/**
 * One agent connection: Auth first, then the RPCs of an agent, heartbeats both ways, and its end (agent protocol, section 4).
 */
import type { TLSSocket } from 'node:tls';
import {
  answer,
  ByteBudget,
  call,
  type Deadline,
  deadline,
  ErrorCode,
  echoHeartbeat,
  type Heartbeat,
  MuxSession,
  type MuxStream,
  StreamType,
  startHeartbeat,
} from '@underpass/wire';
import type { CredentialGrant } from '../access/tokens.ts';
import { type ConnectionAddresses, ipOf } from '../core/ip/client-address.ts';
import { connectAddress } from '../core/service-names.ts';
import { Problem } from '../errors/problem.ts';
import type { SessionFacts, SessionRequest } from '../online/session.ts';
import { isOutage } from '../store/outage-log.ts';
import { agentName } from './agent-name.ts';
import { type AuthAnswer, asProblem, errorText, failedAuth, failedBind } from './answers.ts';
import { ask } from './ask.ts';
import { type AuthRequest, readAuth } from './auth.ts';
import type { IngressContext } from './context.ts';
import { authenticate } from './credentials.ts';
import type { Session, SessionIdentity, SessionWatcher } from './live-session.ts';
import { MuxCarrier } from './mux-carrier.ts';
import { RefusalReports } from './refusal-reports.ts';
import { SessionTunnels } from './session-tunnels.ts';
import { SilenceWatch } from './silence-watch.ts';
import { checkSource } from './source.ts';
import { TunnelRequests } from './tunnel-requests.ts';

/** Milliseconds between a refusal and GOAWAY: some agents drop unread messages at GOAWAY. */
const lastWordsMs = 250;
/** Milliseconds between looks for the end of what is under way. */
const finishLookMs = 10;
/** Streams of one session that carry no visitor. */
const ownStreams = 32;
const planName = 'self-hosted';

const requestNames: ReadonlyMap<number, string> = new Map([
  [StreamType.auth, 'Auth'],
  [StreamType.bind, 'Bind'],
  [StreamType.unbind, 'Unbind'],
  [StreamType.startTunnelWithLabel, 'StartTunnelWithLabel'],
  [StreamType.srvInfo, 'SrvInfo'],
  [StreamType.patchTunnelState, 'PatchTunnelState'],
]);

/** The identity of a session after a successful Auth. */
interface Identity extends SessionIdentity {
  readonly requests: TunnelRequests;
}

export class AgentSession implements Session {
  readonly #context: IngressContext;
  readonly #watcher: SessionWatcher;
  readonly #socket: TLSSocket;
  readonly #addresses: ConnectionAddresses;
  readonly #mux: MuxSession;
  readonly #authDeadline: Deadline;
  readonly #silence: SilenceWatch;
  /** Bytes that are kept for the agent: before Auth, and for its requests after it. */
  readonly #unauthenticated: ByteBudget;
  readonly #requests: ByteBudget;
  #heartbeat: Heartbeat | null = null;
  #reports: RefusalReports | null = null;
  #identity: Identity | null = null;
  /** Looks if requests that are under way have ended, before the agent is to connect elsewhere; null: none is awaited. */
  #finishing: NodeJS.Timeout | null = null;
  #left: () => void = () => {};
  #state: 'new' | 'authenticating' | 'online' | 'refused' | 'over' = 'new';

  constructor(
    context: IngressContext,
    watcher: SessionWatcher,
    socket: TLSSocket,
    addresses: ConnectionAddresses,
  ) {
    this.#context = context;
    this.#watcher = watcher;
    this.#socket = socket;
    this.#addresses = addresses;
    const { authMs } = context.limits;
    this.#authDeadline = deadline(authMs, () => {
      context.refused('authentication', 'sessionAuthTimeout');
      this.end(new Problem('sessionAuthTimeout', { seconds: authMs / 1000 }));
    });
    this.#unauthenticated = new ByteBudget(
      context.limits.unauthenticatedBytes,
      context.budgets.unauthenticated,
    );
    this.#requests = new ByteBudget(context.limits.requestBytes, context.budgets.requests);
    this.#mux = new MuxSession(socket, {
      role: 'server',
      maxStreams: context.limits.unauthenticatedStreams,
      queued: this.#unauthenticated,
      accept: (type, stream) => this.#accept(type, stream),
      closed: ({ code, debug }) => {
        this.#stopFinishing();
        this.#over(`${code} ${debug}`.trim(), debug || `the session closed with ${code}`);
      },
    });
    this.#silence = new SilenceWatch({
      rounds: context.rounds,
      received: () => this.#mux.received,
      probe: () => this.#heartbeat?.beat(),
    });
  }

  get identity(): Identity | null {
    return this.#identity;
  }

  /** Ends the session and sends the reason to the agent. Its names are held for its credential. */
  end(reason: Problem): void {
    if (this.#state === 'over' && this.#finishing === null) return;
    this.#over(reason.code, reason.message);
    this.#goAway(reason);
  }

  leave(reason: Problem): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#state === 'over') resolve();
    else this.#leave(reason, resolve);
    return promise;
  }

  #leave(reason: Problem, left: () => void): void {
    this.#left = left;
    const { finishMs } = this.#context.limits;
    const until = this.#context.uptime() + finishMs;
    this.#finishing = setInterval(() => {
      const isBusy = this.#identity?.tunnels.isFinishing === true;
      if (!isBusy || this.#context.uptime() >= until) this.#goAway(reason);
    }, finishLookMs).unref();
    this.#over(reason.code, reason.message, finishMs);
  }

  #goAway(reason: Problem): void {
    this.#stopFinishing();
    this.#mux.goAway(ErrorCode.sessionClosed, errorText(reason, this.#context.settings.errorPrefix));
  }

  #stopFinishing(): void {
    if (this.#finishing !== null) clearInterval(this.#finishing);
    this.#finishing = null;
    this.#left();
  }

  /** Ends the connection now, whatever is still to be sent. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** Ends the session as `end` does, and waits for nothing that the agent still has to do for it. */
  drop(reason: Problem): void {
    this.end(reason);
    this.#socket.destroySoon();
  }

  #accept(type: number, stream: MuxStream): void {
    if (type === StreamType.heartbeat) echoHeartbeat(stream);
    else if (this.#identity !== null && this.#state === 'online')
      this.#dispatch(type, stream, this.#identity.requests);
    else if (this.#state === 'new' && type === StreamType.auth) {
      this.#state = 'authenticating';
      this.#answerUnauthenticated(type, stream, (request) => this.#auth(request));
    } else if (type === StreamType.srvInfo && (this.#state === 'new' || this.#state === 'authenticating'))
      this.#answerUnauthenticated(type, stream, () => this.#info());
    else this.#refuseUnauthenticated(type, stream);
  }

  #dispatch(type: number, stream: MuxStream, requests: TunnelRequests): void {
    switch (type) {
      case StreamType.bind:
        this.#serve(stream, (request) => requests.bind(request), failedBind);
        break;
      case StreamType.startTunnelWithLabel:
        this.#serve(stream, (request) => requests.startLabelled(request), failedStart);
        break;
      case StreamType.unbind:
        this.#serve(stream, (request) => requests.unbind(request), failed);
        break;
      case StreamType.patchTunnelState:
        this.#serve(stream, (request) => requests.patch(request), failed);
        break;
      case StreamType.srvInfo:
        this.#serve(stream, () => this.#info(), failed);
        break;
      case StreamType.auth: {
        const error = this.#text(new Problem('sessionAlreadyAuthenticated'));
        answer(stream, () => this.#failedAuth(error));
        break;
      }
      default:
        stream.reset(ErrorCode.streamRefused);
    }
  }

  #info(): { readonly Region: string; readonly Error: string } {
    return { Region: this.#context.settings.region, Error: '' };
  }

  #answerUnauthenticated(type: number, stream: MuxStream, respond: (request: unknown) => unknown): void {
    answer(stream, respond, {
      maxBytes: this.#context.limits.unauthenticatedRequestBytes,
      budget: this.#unauthenticated,
      gaveWay: () => {
        const problem = new Problem('requestGaveWay');
        this.#refuse(problem);
        return this.#failed(type, this.#text(problem));
      },
    });
  }

  #serve(stream: MuxStream, respond: (request: unknown) => unknown, fail: (error: string) => unknown): void {
    const gaveWay = () => fail(this.#text(new Problem('requestGaveWay')));
    const serve = (request: unknown) => {
      // The session may have ended while the request was on its way.
      if (this.#state !== 'online') return fail(this.#text(new Problem('serviceStopping')));
      const refused = (error: unknown) => fail(this.#text(asProblem(error, this.#report)));
      try {
        const response = respond(request);
        return response instanceof Promise ? response.catch(refused) : response;
      } catch (error) {
        return refused(error);
      }
    };
    answer(stream, serve, { budget: this.#requests, gaveWay });
  }

  #refuseUnauthenticated(type: number, stream: MuxStream): void {
    const request = requestNames.get(type);
    if (request === undefined) stream.reset(ErrorCode.streamRefused);
    else {
      const error = this.#text(new Problem('sessionNotAuthenticated', { request }));
      this.#answerUnauthenticated(type, stream, () => this.#failed(type, error));
    }
    this.#refuse(new Problem('sessionNotAuthenticated', { request: request ?? `a stream of type ${type}` }));
  }

  /** Lets what was answered arrive, then ends the session. */
  #refuse(reason: Problem): void {
    if (this.#state === 'refused' || this.#state === 'over') return;
    this.#state = 'refused';
    // An agent that looks for another daemon is none that is kept out.
    if (reason.code !== 'sessionDaemonTaken') this.#noteRefused(reason);
    setTimeout(() => this.end(reason), lastWordsMs).unref();
  }

  #noteRefused({ code }: Problem): void {
    this.#context.refused('authentication', code);
    this.#context.log.info({ client: this.#addresses.clientAddr, reason: code }, 'agent refused');
  }

  async #auth(body: unknown): Promise<AuthAnswer> {
    try {
      const request = readAuth(body);
      return await authenticate(this.#context, request.token, (grant, accountName) => {
        if (this.#state === 'authenticating') return this.#goOnline(request, grant, accountName);
        throw new Problem('sessionNotAuthenticated', { request: 'another request' });
      });
    } catch (error) {
      const problem = asProblem(error, this.#report);
      this.#refuse(problem);
      return this.#failedAuth(this.#text(problem));
    }
  }

  #goOnline(request: AuthRequest, grant: CredentialGrant, accountName: string): AuthAnswer {
    const ip = ipOf(this.#addresses.clientAddr);
    checkSource(this.#context, grant, ip);
    const isBack =
      request.clientId !== '' && this.#context.proofs.isCookie(request.cookie, grant, request.clientId);
    const { account, credential } = grant;
    const { leg, wantsOtherDaemon } = request;
    const known = isBack ? request.clientId : '';
    this.#context.admit({ account, credential, ip, clientId: known, leg, wantsOtherDaemon });
    const { settings, registry, proofs, ids, version } = this.#context;
    const { limits, budgets, uptime } = this.#context;
    const capacity = request.streams === null ? null : Math.min(request.streams, limits.proxiedStreams);
    const reports = request.takesRefusals
      ? new RefusalReports({ mux: this.#mux, account, room: this.#context.refusalRoom, uptime })
      : null;
    this.#reports = reports;
    const carrier = new MuxCarrier({
      mux: this.#mux,
      silence: this.#silence,
      errorPrefix: settings.errorPrefix,
      registerMs: limits.registerMs,
      hidesDials: !request.reportsDials,
      capacity,
      reports,
      uptime,
    });
    const id = ids.next('ts');
    const clientId = isBack ? request.clientId : id;
    const facts: SessionFacts = {
      ...{ id, account, credential, clientId, leg },
      agentVersion: request.agentVersion,
      userAgent: request.userAgent,
      ip,
      serverIp: ipOf(this.#addresses.serverAddr),
      metadata: request.metadata,
      os: request.os,
      arch: request.arch,
      region: settings.region,
      node: settings.nodeName,
      startedAt: this.#context.now(),
      transport: `underpass/${request.version}`,
    };
    const agent = agentName(facts, request.hostname);
    const owner = { session: facts, agent, rules: grant.acl };
    const tunnels = new SessionTunnels(this.#context, carrier, owner);
    const requests = new TunnelRequests(this.#context, tunnels, { session: facts, isBack });
    this.#identity = { facts, tunnels, requests, certificate: null };
    this.#state = 'online';
    this.#authDeadline.met();
    const queued = new ByteBudget(limits.queuedBytes, budgets.queued);
    this.#mux.allow({ maxStreams: limits.streams, queued, ...openLimitOf(capacity) });
    const { unsupported } = request;
    registry.addSession({ facts, ask: (what) => this.#ask(what, unsupported[what], carrier) });
    this.#watcher.online(this);
    this.#heartbeat = startHeartbeat(this.#mux, {
      ...request.heartbeat,
      dead: () => {
        this.end(new Problem('sessionSilent'));
        this.destroy();
      },
    });
    this.#context.log.info({ session: id, credential, ip }, 'session online');
    const { region } = settings;
    return {
      Version: request.version,
      ClientId: clientId,
      Error: '',
      Extra: {
        Version: version,
        Region: region,
        Cookie: proofs.cookie(grant, clientId),
        AccountName: accountName,
        SessionDuration: 0,
        PlanName: planName,
        Banner: '',
        DeprecationWarning: null,
        ConnectAddresses: [{ Region: region, ServerAddr: connectAddress(settings) }],
        AgentSessionID: id,
        ...(request.connections > 0 ? this.#connections() : {}),
        ...(request.takesRefusals ? { UnderpassAgentVersion: version } : {}),
      },
    };
  }

  #connections(): Pick<AuthAnswer['Extra'], 'UnderpassConnections' | 'UnderpassDaemon'> {
    const { connections } = this.#context;
    return { UnderpassConnections: connections.add(this), UnderpassDaemon: connections.daemon };
  }

  /** An agent that does not respond gets the number with its next connection. */
  notifyConnections(count: number): void {
    const { askMs } = this.#context.limits;
    void call(this.#mux, StreamType.connections, { Connections: count }, askMs).catch(() => {});
  }

  /** A compliant agent ends its session. Visitors use other agents until it has ended or refused. */
  async #ask(what: SessionRequest, unsupported: string | null, carrier: MuxCarrier): Promise<void> {
    const { askMs, leaveMs } = this.#context.limits;
    carrier.expectLeave(leaveMs);
    try {
      await ask(this.#mux, what, unsupported, askMs);
    } catch (error) {
      carrier.expectLeave(0);
      throw error;
    }
  }

  /** `reason` is for the operator, `words` are for the agent's user. */
  #over(reason: string, words: string, finishMs = 0): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#authDeadline.met();
    this.#silence.stop();
    this.#reports?.stop();
    this.#context.connections.delete(this);
    if (this.#identity !== null) {
      this.#identity.tunnels.lose(finishMs);
      this.#context.registry.removeSession(this.#identity.facts);
      this.#context.log.info({ session: this.#identity.facts.id, reason }, 'session over');
    }
    this.#watcher.over(this, words);
  }

  #failed(type: number, error: string): unknown {
    if (type === StreamType.auth) return this.#failedAuth(error);
    return type === StreamType.bind ? failedBind(error) : failed(error);
  }

  #failedAuth(error: string): AuthAnswer {
    return failedAuth(error, this.#context.version, this.#context.settings.region);
  }

  #text(problem: Problem): string {
    return errorText(problem, this.#context.settings.errorPrefix);
  }

  readonly #report = (error: unknown): void => {
    if (isOutage(error)) return;
    this.#context.log.error({ err: error, session: this.#identity?.facts.id }, 'agent request failed');
  };
}

/** Returns the limit of open streams. It counts those that the agent opens itself, and heartbeats, beside its offer. */
function openLimitOf(capacity: number | null): { readonly openLimit?: number } {
  return capacity === null ? {} : { openLimit: capacity + ownStreams };
}

function failedStart(error: string): { readonly Id: string; readonly Error: string } {
  return { Id: '', Error: error };
}

function failed(error: string): { readonly Error: string } {
  return { Error: error };
}
