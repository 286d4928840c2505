/** The edge put together: sites, streams to backends, the HTTP engine, connections that carry bytes, and what listens for visitors. */
import type { Logger } from 'pino';
import type { Hostname } from '../core/hostname.ts';
import type { ListenAddress } from '../core/settings.ts';
import type { DocumentStore } from '../documents/index.ts';
import type { CertificateSource } from '../pki/certificate-source.ts';
import type { OnlineTunnels } from '../tunnels/online.ts';
import { Streams } from './backends/streams.ts';
import { Pipes } from './bytes/pipes.ts';
import type { Observe } from './exchange-record.ts';
import { HttpEdge } from './http/edge.ts';
import { DEFAULT_LIMITS, type HttpLimits } from './http/limits.ts';
import { FrontDoor, type FrontDoorLimits, type Service } from './listeners/front-door.ts';
import type { FrontDoorObserver } from './listeners/open-connections.ts';
import { SiteTable } from './sites/site-table.ts';
import { SourceShares } from './source-shares.ts';

export interface EdgeLimits extends HttpLimits, FrontDoorLimits {
  /** Milliseconds for which a connection that carries bytes may stand still because one side does not read. */
  readonly stallMs: number;
}

export interface EdgeSettings {
  readonly listen: ListenAddress;
  /** The shared domain. */
  readonly domain: Hostname;
  /** The port of public URLs, which Host may name besides 443. */
  readonly publicPort: number;
  /** Of error codes that visitors see; ends in an underscore. */
  readonly errorPrefix: string;
  /** The response header that has the code of an error of the edge's own, in lower case. */
  readonly errorCodeHeader: string;
}

export interface EdgeOptions {
  readonly settings: EdgeSettings;
  readonly store: DocumentStore;
  readonly online: OnlineTunnels;
  readonly services: ReadonlyMap<Hostname, Service>;
  readonly certificates: CertificateSource;
  readonly log: Logger;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly observe?: Observe;
  readonly observer?: FrontDoorObserver;
  readonly limits?: Partial<EdgeLimits>;
  /** For so long after the start visitors of names that nobody serves wait for agents to come. */
  readonly expectAgentsMs: number;
}

const STALL_MS = 300_000;

export class Edge {
  readonly #sites: SiteTable;
  readonly #http: HttpEdge;
  readonly #pipes: Pipes;
  readonly #door: FrontDoor;

  private constructor(options: EdgeOptions, sites: SiteTable) {
    const { settings, now, log, observe, observer, limits: given = {} } = options;
    const limits = { ...DEFAULT_LIMITS, stallMs: STALL_MS, ...given };
    const streams = new Streams(new SourceShares(), limits);
    this.#sites = sites;
    const { errorPrefix, errorCodeHeader, publicPort, domain } = settings;
    this.#http = new HttpEdge({
      sites,
      streams,
      errorPrefix,
      errorCodeHeader,
      publicPort,
      domain,
      now,
      log,
      limits,
      ...(observe === undefined ? {} : { observe }),
    });
    this.#pipes = new Pipes({ streams, stallMs: limits.stallMs, observe: observe ?? null, now });
    this.#door = new FrontDoor({
      listen: settings.listen,
      sites,
      services: options.services,
      certificates: options.certificates,
      http: this.#http,
      pipes: this.#pipes,
      log,
      limits: given,
      expectAgentsMs: options.expectAgentsMs,
      ...(observer === undefined ? {} : { observer }),
    });
    sites.onChange(() => this.#http.recheck());
  }

  /** Knows all sites, and does not listen yet. */
  static async prepare(options: EdgeOptions): Promise<Edge> {
    const { store, online, log } = options;
    return new Edge(options, await SiteTable.start({ store, online, log }));
  }

  /** Open connections, of all kinds. */
  get connections(): number {
    return this.#door.connections;
  }

  /** Rejects with `ListenError`. */
  start(): Promise<{ readonly port: number }> {
    return this.#door.start();
  }

  /** From here on each answer is its connection's last one; connections that come are served. */
  drain(): void {
    this.#http.drain();
  }

  /** Stops accepting at once. Resolves when everything that was accepted is with whom it is for; after the deadline it is ended. */
  stopAccepting(deadlineMs: number): Promise<void> {
    return this.#door.stopAccepting(deadlineMs);
  }

  /** Lets what is under way end by itself, and requests that begin within `quietMs`; after the deadline ends the rest. */
  async finish(deadlineMs: number, quietMs: number): Promise<void> {
    await Promise.all([this.#pipes.drain(deadlineMs), this.#http.close(deadlineMs, quietMs)]);
  }

  /** Ends what is left, of the daemon's own services too. */
  async close(deadlineMs: number): Promise<void> {
    await this.#door.close(deadlineMs);
    await this.#sites.stop();
  }
}
