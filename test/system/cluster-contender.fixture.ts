/**
 * An agent that binds one of a few names for a moment, again and again, at one daemon. Other credentials want the same
 * names. Each response names the bind that served it.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { tagged } from '../agents/index.ts';
import type { Cluster } from '../harness/index.ts';
import type { LoggedBind } from './cluster-log.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';

/** Milliseconds for which a bind is kept, and before the next attempt. */
const KEPT_MS = [50, 500] as const;
const AGAIN_MS = [5, 60] as const;
/** Parts of the binds that end without an unbind: by a cut, which holds the name for the credential. */
const CUT = 0.05;

export interface ContenderOptions {
  readonly cluster: Cluster;
  /** Index of its daemon. */
  readonly daemon: number;
  readonly credential: string;
  readonly token: string;
  readonly names: readonly string[];
  /** The common log. */
  readonly binds: LoggedBind[];
}

const between = ([least, most]: readonly [number, number]): Promise<void> => pause(randomInt(least, most));

export class Contender {
  readonly credential: string;
  readonly daemon: number;
  readonly #options: ContenderOptions;
  #agent: StockAgent | null = null;

  constructor(options: ContenderOptions) {
    this.#options = options;
    this.credential = options.credential;
    this.daemon = options.daemon;
  }

  /** Contends until the signal. Resolves when its last bind has ended. */
  async contend(over: AbortSignal): Promise<void> {
    const { names } = this.#options;
    while (!over.aborted) {
      const bind = await this.bind(names[randomInt(names.length)]!).catch(() => null);
      if (bind === null) await between(AGAIN_MS);
      else await this.#keep(bind);
    }
  }

  /** Null: the service refused it. Rejects if the session or the daemon is away. */
  async bind(name: string): Promise<LoggedBind | null> {
    const { binds, credential } = this.#options;
    const agent = await this.#connected();
    const bind: LoggedBind = {
      ...{ number: binds.length + 1, name, credential, daemon: this.daemon },
      ...{ askedAt: performance.now(), grantedAt: null, endedAt: null },
    };
    binds.push(bind);
    const refusal = await agent.refusal({}, { Name: name, Id: String(bind.number) });
    if (refusal !== '') return this.#refused(agent, refusal);
    bind.grantedAt = performance.now();
    return bind;
  }

  /** Ends its session. */
  async stop(): Promise<void> {
    const agent = this.#agent;
    this.#agent = null;
    await agent?.stop();
  }

  /** Keeps a session that refused a bind with an error code. Another error has ended it. */
  async #refused(agent: StockAgent, refusal: string): Promise<null> {
    if (/ERR_\w+_\d+/.test(refusal)) return null;
    if (this.#agent === agent) await this.stop();
    throw new Error(refusal);
  }

  async #keep(bind: LoggedBind): Promise<void> {
    await between(KEPT_MS);
    if (Math.random() < CUT) return await this.stop();
    await this.#agent?.unbind(String(bind.number)).then(
      () => {
        bind.endedAt = performance.now();
      },
      // The same credential has it at another daemon, or the session has ended.
      async () => {},
    );
  }

  async #connected(): Promise<StockAgent> {
    const { cluster, daemon, credential, token } = this.#options;
    if (this.#agent !== null) return this.#agent;
    const agent = await StockAgent.connect(cluster.at(daemon), () => {}, {
      token,
      home: ({ Id }) => tagged(`${credential} ${Id}`)(),
    });
    this.#agent = agent;
    void agent.session.over.then(() => {
      if (this.#agent === agent) this.#agent = null;
    });
    return agent;
  }
}
