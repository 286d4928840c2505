/**
 * An agent of one of the families, on raw sockets: it keeps a session, binds again with the values of its responses
 * after a reconnect, and forwards proxied connections.
 * Invariant: every breach of the protocol by the service is in `faults`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Family, type Json, object, type Protocol, text, type Wanted } from './family.ts';
import { type Home, join } from './join.ts';
import { StreamType } from './raw-session.ts';
import type { RawStream } from './raw-stream.ts';
import { AgentSession, type ProxyHeader, type Service } from './session.ts';

export interface StopMessage {
  readonly id: string;
  readonly message: string;
  readonly code: string;
}

/** A tunnel as its agent knows it. */
export interface AgentTunnel {
  /** Id in the first response, by which the agent always ends it. */
  readonly id: string;
  readonly url: string;
  /** Id in the first response, by which the agent always changes it. */
  readonly tunnelId: string;
  /** All fields of the request. */
  readonly options: Json;
}

interface Kept {
  request: Json & { readonly Id?: string };
  readonly type: number;
  readonly proto: Protocol | null;
  readonly home: Home;
}

export class FamilyAgent {
  readonly faults: string[] = [];
  /** Notifications of the service about ended tunnels. */
  readonly stopped: StopMessage[] = [];
  readonly #family: Family;
  readonly #service: Service;
  readonly #token: string;
  readonly #tunnels = new Map<string, Kept>();
  readonly #end = new AbortController();
  #session: AgentSession | null = null;
  #networkBack: Promise<unknown> = Promise.resolve();
  #clientId = '';
  #cookie = '';
  /** Number of times that it has been online with all its tunnels. */
  times = 0;

  private constructor(family: Family, service: Service, token: string) {
    this.#family = family;
    this.#service = service;
    this.#token = token;
  }

  /** Online, without a tunnel. */
  static async start(family: Family, service: Service, token: string): Promise<FamilyAgent> {
    const agent = new FamilyAgent(family, service, token);
    await agent.#connect();
    void agent.#keep();
    return agent;
  }

  get isOnline(): boolean {
    return this.#session !== null;
  }

  /** Streams of its session that are not over on both sides; heartbeats among them. */
  get streams(): number {
    return this.#session?.streams ?? 0;
  }

  async bind(proto: Protocol, home: Home, wanted: Wanted = {}): Promise<AgentTunnel> {
    const request = {
      // Made by the service.
      Id: '',
      Proto: proto,
      ForwardsTo: 'http://localhost:8080',
      ForwardsProto: '',
      Opts: this.#family.options(proto, wanted),
      Extra: { Name: '', Token: '', IPPolicyRef: '', Metadata: '', Description: '', Bindings: null },
    };
    return await this.#start(this.#online, { request, type: StreamType.bind, proto, home });
  }

  async bindLabelled(labels: Readonly<Record<string, string>>, home: Home): Promise<string> {
    const request = { Labels: labels, ForwardsTo: 'http://localhost:8080', ForwardsProto: '', Metadata: '' };
    const kept: Kept = { request, type: StreamType.startTunnelWithLabel, proto: null, home };
    const { id } = await this.#start(this.#online, kept);
    return id;
  }

  /** Changes a tunnel that is online, as a program does. */
  async patch({ tunnelId }: AgentTunnel, changes: Json): Promise<void> {
    await this.#online.call(StreamType.patchTunnelState, { TunnelId: tunnelId, ...changes });
  }

  async unbind(id: string): Promise<void> {
    await this.#online.call(StreamType.unbind, { Id: id });
    this.#tunnels.delete(id);
  }

  /** The network is gone, and from when it is `back` on the agent tries as its family does. */
  cut(back: Promise<unknown> = Promise.resolve()): void {
    this.#networkBack = back;
    this.#session?.cut();
  }

  /** Ends for good, in order. */
  async stop(): Promise<void> {
    this.#end.abort();
    const session = this.#session;
    session?.close();
    await session?.over;
  }

  get #online(): AgentSession {
    if (this.#session === null) throw new Error('the agent is offline');
    return this.#session;
  }

  async #keep(): Promise<void> {
    const { signal } = this.#end;
    for (let session = this.#session; session !== null && !signal.aborted; session = this.#session) {
      await session.over;
      this.#session = null;
      if (!session.isDismissed) await this.#comeBack().catch(() => {});
    }
  }

  /** Rejects when it is stopped meanwhile. */
  async #comeBack(): Promise<void> {
    const { retryMs } = this.#family;
    const { signal } = this.#end;
    await this.#networkBack;
    for (let attempt = 0; ; attempt += 1) {
      await pause(retryMs[Math.min(attempt, retryMs.length - 1)], undefined, { signal, ref: false });
      const isBack = await this.#connect().then(
        () => true,
        () => false,
      );
      if (isBack) return;
    }
  }

  async #connect(): Promise<void> {
    const session = await AgentSession.dial(this.#family, this.#service, {
      proxied: (header, stream) => void this.#proxied(header, stream),
      stopped: (message) => this.#noteStop(message),
      fault: (what) => this.faults.push(what),
    });
    try {
      const token = this.#token;
      await session.authenticate({ token, clientId: this.#clientId, cookie: this.#cookie });
      // Whatever is refused, the reconnect as a whole has failed.
      for (const [id, kept] of [...this.#tunnels]) {
        this.#tunnels.delete(id);
        await this.#start(session, kept).catch((error: unknown) => {
          this.#tunnels.set(id, kept);
          throw error;
        });
      }
    } catch (error) {
      session.cut();
      throw error;
    }
    this.#clientId = session.clientId;
    this.#cookie = session.cookie;
    this.#session = session;
    this.times += 1;
  }

  /** Known from the answer on, as of every agent; what comes before is ended without a byte. */
  async #start(session: AgentSession, { request, type, proto, home }: Kept): Promise<AgentTunnel> {
    const answer = await session.call(type, request);
    const id = text(answer, 'Id');
    if (proto === null) {
      this.#tunnels.set(id, { request, type, proto, home });
      return { id, url: '', tunnelId: '', options: {} };
    }
    this.#family.checkBind(proto, answer);
    const { Id: asked = '' } = request;
    if (asked !== '' && id !== asked) this.faults.push(`bound as ${id} what was to be ${asked}`);
    const options = object(answer, 'Opts');
    const { Token, TunnelID } = object(answer, 'Extra');
    const Extra = { ...object(request, 'Extra'), Token };
    const again = { ...request, Id: id, Proto: text(answer, 'Proto'), Opts: options, Extra };
    this.#tunnels.set(id, { request: again, type, proto, home });
    return { id, url: text(answer, 'URL'), tunnelId: String(TunnelID), options };
  }

  async #proxied(header: ProxyHeader, stream: RawStream): Promise<void> {
    const tunnel = this.#tunnels.get(header.Id);
    if (tunnel === undefined) stream.end();
    else await join(this.#family, header, stream, tunnel.home);
  }

  #noteStop({ Id, Message, ErrorCode }: Json): void {
    const isHeeded = !this.#family.ignoresStopsOnceBack || this.times === 1;
    if (isHeeded) this.#tunnels.delete(String(Id));
    this.stopped.push({ id: String(Id), message: String(Message), code: String(ErrorCode) });
  }
}
