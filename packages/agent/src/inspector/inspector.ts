/** The state that the inspector shows: the agent's session, its tunnels, and the requests through them. */
import type { ProxyHeader } from '@underpass/wire';
import { InvalidInput, parseFirstServer } from '../address.ts';
import type { AgentState } from '../agent-options.ts';
import type { ServeConnection } from '../forward.ts';
import type { ConnectionCapture } from '../http-log.ts';
import type { InspectedSpec, TunnelInspection } from '../inspection.ts';
import type { Tunnel } from '../tunnel.ts';
import { agentVersion } from '../version.ts';
import type { ReplayRequest, StatusView, TunnelView } from './api-types.ts';
import type { Exchange } from './exchange.ts';
import { keepRefused } from './refused.ts';
import { replayedRequest, requestBytes, send } from './replay.ts';
import { sendHttp2 } from './replay-http2.ts';
import { Store } from './store.ts';

/** A tunnel as it is inspected: before it is bound, too. */
interface Inspected {
  readonly id: number;
  readonly spec: InspectedSpec;
  tunnel: Tunnel | null;
  /** Null: it is no tunnel of HTTP. */
  serve: ServeConnection | null;
  isOver: boolean;
}

/** Service of the inspected tunnels. */
export interface InspectedService {
  /** Its address. */
  readonly server: string;
  /** PEM of the authority of its certificate, where it is not one that this machine trusts anyway. */
  readonly caFile?: string | undefined;
}

/** More at a time are refused. */
const REPLAYS_MAX = 16;
/** Number of listed tunnels from which the oldest ended one is evicted. */
const TUNNELS_MAX = 256;

export class Inspector {
  readonly store: Store;
  readonly #service: InspectedService;
  readonly #tunnels: Inspected[] = [];
  #lastTunnel = 0;
  readonly #watchers = new Set<() => void>();
  /** Running replays by the header of their connection. */
  readonly #replays = new Map<ProxyHeader, { readonly of: number; readonly begun: (id: number) => void }>();
  #session: StatusView['session'];

  constructor(service: InspectedService, store = new Store()) {
    this.#service = service;
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

  add(spec: InspectedSpec): TunnelInspection {
    this.#forgetOver();
    const inspected: Inspected = {
      id: ++this.#lastTunnel,
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
      refused: ({ visits }) => {
        for (const visit of visits) keepRefused(this.store, inspected.id, visit);
      },
      ended: () => {
        inspected.isOver = true;
        this.#tell();
      },
    };
  }

  /** A program may have tunnels come and go for as long as it runs. */
  #forgetOver(): void {
    if (this.#tunnels.length < TUNNELS_MAX) return;
    const oldest = this.#tunnels.findIndex(({ isOver }) => isOver);
    if (oldest >= 0) this.#tunnels.splice(oldest, 1);
  }

  get status(): StatusView {
    const { all, bytes } = this.store;
    return {
      version: agentVersion,
      server: this.#service.server,
      session: this.#session,
      tunnels: this.#tunnels.map((it) => this.#view(it)),
      kept: { exchanges: all.length, bytes },
    };
  }

  /** Watches session and tunnels, like `Store.watch`. */
  watchStatus(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  /** The public URL of the tunnel that it came through; null unknown. */
  baseOf({ origin }: Exchange): string | null {
    return this.#tunnels.find(({ id }) => id === origin.tunnel)?.tunnel?.url ?? null;
  }

  /**
   * The CA file for a URL below the service's own domain. Null: the URL has another certificate, or one that machines
   * trust anyway.
   */
  authorityOf(url: string): string | null {
    const { server, caFile = null } = this.#service;
    const [domain = null] = /\..+$/.exec(parseFirstServer(server).host) ?? [];
    const asked = URL.parse(url);
    const isOfService = domain !== null && asked?.protocol === 'https:' && asked.hostname.endsWith(domain);
    return isOfService ? caFile : null;
  }

  /** Sends a request again, to the upstream of its tunnel. Answers the id of the new exchange. Rejects with InvalidInput. */
  async replay(exchange: Exchange, edits: ReplayRequest): Promise<number> {
    if (exchange.origin.refusal !== undefined)
      throw new InvalidInput(
        'The service refused this request, and nothing of it came here that could be sent again.',
      );
    const { serve, isHttp2 } = this.#replayTunnel(edits.tunnel ?? exchange.origin.tunnel);
    const request = replayedRequest(exchange, edits);
    if (this.#replays.size >= REPLAYS_MAX)
      throw new InvalidInput(`There are ${REPLAYS_MAX} replays under way. Wait for their answers.`);
    const header = { Id: '', ClientAddr: '', Proto: 'https', EdgeType: '', PassthroughTLS: false };
    const begun = Promise.withResolvers<number | null>();
    this.#replays.set(header, { of: exchange.id, begun: begun.resolve });
    const isOver = () => {
      this.#replays.delete(header);
      begun.resolve(null);
    };
    try {
      const over = isHttp2 ? sendHttp2(serve, header, request) : send(serve, header, requestBytes(request));
      void over.then(isOver);
    } catch (error) {
      isOver();
      throw error;
    }
    const id = await begun.promise;
    if (id === null) throw new InvalidInput('The request is none that the inspector can follow.');
    return id;
  }

  #replayTunnel(id: number | null): { readonly serve: ServeConnection; readonly isHttp2: boolean } {
    const candidates = this.#tunnels.filter((it) => it.serve !== null && !it.isOver);
    const tunnel =
      id === null && candidates.length === 1 ? candidates[0] : candidates.find((it) => it.id === id);
    if (tunnel === undefined || tunnel.serve === null)
      throw new InvalidInput(
        id === null
          ? 'The tunnel is not known. Give its id as "tunnel".'
          : 'The tunnel is not there any more, or is none of HTTP.',
      );
    const { proxyProtocol, upstreamProtocol } = tunnel.spec.request;
    if (proxyProtocol !== undefined)
      throw new InvalidInput('Requests are replayed without the PROXY protocol, which this tunnel has.');
    return { serve: tunnel.serve, isHttp2: upstreamProtocol === 'http2' };
  }

  #capture(tunnel: number, header: ProxyHeader): ConnectionCapture {
    const replay = this.#replays.get(header);
    const keep = this.store.capture({ tunnel, client: header.ClientAddr, replayOf: replay?.of ?? null });
    if (replay === undefined) return keep;
    return (...seen) => {
      const exchange = keep(...seen);
      replay.begun(exchange.id);
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
