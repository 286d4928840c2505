/** What the agent shows of itself: its session, its tunnels, and the requests that went through them. */
import type { ProxyHeader } from '@underpass/wire';
import { InvalidInput } from '../address.ts';
import type { AgentState } from '../agent.ts';
import type { Inspection, ServeConnection } from '../forward.ts';
import type { ConnectionCapture } from '../http-log.ts';
import type { Tunnel } from '../tunnel.ts';
import type { TunnelSpec } from '../tunnel-spec.ts';
import { agentVersion } from '../version.ts';
import type { ReplayRequest, StatusView, TunnelView } from './api-types.ts';
import type { Exchange } from './exchange.ts';
import { replayedRequest, send } from './replay.ts';
import { Store } from './store.ts';

/** A tunnel as it is inspected: before it is bound, too. */
interface Inspected {
  readonly id: number;
  readonly spec: TunnelSpec;
  tunnel: Tunnel | null;
  /** Null: it is no tunnel of HTTP. */
  serve: ServeConnection | null;
  isOver: boolean;
}

/** What a tunnel tells the inspector. */
export interface TunnelInspection extends Inspection {
  bound(tunnel: Tunnel): void;
  ended(): void;
}

/** More at a time are refused. */
const REPLAYS_MAX = 16;

export class Inspector {
  readonly store: Store;
  readonly #server: string;
  readonly #tunnels: Inspected[] = [];
  readonly #watchers = new Set<() => void>();
  /** Those under way, by the header of their connection. */
  readonly #replays = new Map<ProxyHeader, { readonly of: number; id: number | null }>();
  #session: StatusView['session'];

  /** `server`: the service's address. */
  constructor(server: string, store = new Store()) {
    this.#server = server;
    this.store = store;
    this.#session = { state: 'connecting', id: '', region: '', reason: '', since: Date.now() };
  }

  state(state: AgentState): void {
    const isOnline = state.state === 'online';
    this.#session = {
      state: state.state,
      id: isOnline ? state.sessionId : '',
      region: isOnline ? state.region : '',
      reason: state.state === 'offline' ? state.reason : '',
      since: Date.now(),
    };
    this.#tell();
  }

  add(spec: TunnelSpec): TunnelInspection {
    const inspected: Inspected = {
      id: this.#tunnels.length + 1,
      spec,
      tunnel: null,
      serve: null,
      isOver: false,
    };
    this.#tunnels.push(inspected);
    return {
      capture: (header) => this.#capture(inspected.id, header),
      serving: (serve) => {
        inspected.serve = serve;
      },
      bound: (tunnel) => {
        inspected.tunnel = tunnel;
        this.#tell();
      },
      ended: () => {
        inspected.isOver = true;
        this.#tell();
      },
    };
  }

  get status(): StatusView {
    const { all, bytes } = this.store;
    return {
      version: agentVersion,
      server: this.#server,
      session: this.#session,
      tunnels: this.#tunnels.map((it) => this.#view(it)),
      kept: { exchanges: all.length, bytes },
    };
  }

  /** As `Store.watch`, of session and tunnels. */
  watchStatus(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  /** The public URL of the tunnel that it came through; null unknown. */
  baseOf({ origin }: Exchange): string | null {
    return this.#tunnels.find(({ id }) => id === origin.tunnel)?.tunnel?.url ?? null;
  }

  /** Sends a request again, to the upstream of its tunnel. Answers the id of the new exchange. Throws InvalidInput. */
  replay(exchange: Exchange, edits: ReplayRequest): number {
    const serve = this.#replayTunnel(edits.tunnel ?? exchange.origin.tunnel);
    const request = replayedRequest(exchange, edits);
    if (this.#replays.size >= REPLAYS_MAX)
      throw new InvalidInput(`There are ${REPLAYS_MAX} replays under way. Wait for their answers.`);
    const header = { Id: '', ClientAddr: '', Proto: 'https', EdgeType: '', PassthroughTLS: false };
    const replay: { readonly of: number; id: number | null } = { of: exchange.id, id: null };
    this.#replays.set(header, replay);
    void send(serve, header, request).then(() => this.#replays.delete(header));
    if (replay.id === null) throw new InvalidInput('The request is none that the inspector can follow.');
    return replay.id;
  }

  #replayTunnel(id: number | null): ServeConnection {
    const candidates = this.#tunnels.filter((it) => it.serve !== null && !it.isOver);
    const tunnel =
      id === null && candidates.length === 1 ? candidates[0] : candidates.find((it) => it.id === id);
    if (tunnel === undefined || tunnel.serve === null)
      throw new InvalidInput(
        id === null
          ? 'Say to which tunnel it is to go: "tunnel" is its id.'
          : 'The tunnel is not there any more, or is none of HTTP.',
      );
    const { proxyProtocol, upstreamProtocol } = tunnel.spec.request;
    if (proxyProtocol !== undefined || upstreamProtocol === 'http2')
      throw new InvalidInput('Requests are replayed over HTTP/1.1 alone, without the PROXY protocol.');
    return tunnel.serve;
  }

  #capture(tunnel: number, header: ProxyHeader): ConnectionCapture {
    const replay = this.#replays.get(header);
    const keep = this.store.capture({ tunnel, client: header.ClientAddr, replayOf: replay?.of ?? null });
    if (replay === undefined) return keep;
    return (...seen) => {
      const exchange = keep(...seen);
      replay.id = exchange.id;
      return exchange;
    };
  }

  #view({ id, spec, tunnel, isOver }: Inspected): TunnelView {
    return {
      ...{ id, name: spec.name, proto: spec.request.proto ?? 'http', forwardsTo: spec.upstream.text },
      url: tunnel?.url ?? null,
      labels: spec.request.labels ?? null,
      isOnline: !isOver && tunnel !== null && this.#session.state === 'online',
    };
  }

  #tell(): void {
    for (const changed of this.#watchers) changed();
  }
}
