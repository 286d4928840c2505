/**
 * The report for people on a terminal: a screen during the run, and a summary at the end.
 * Invariant: foreign text cannot control the terminal.
 */
import type { AgentConnections, AgentState } from '../agent-options.ts';
import type { CommandPlace } from '../command-line.ts';
import { grpcFailure } from '../grpc.ts';
import type { LoggedRequest } from '../http-log.ts';
import type { InspectorServer } from '../inspector/server.ts';
import type { LinePrinter } from '../lines.ts';
import { printable, printableLine, printablePath } from '../printable.ts';
import { leftOutText, type RefusedVisits, refusedText } from '../refused-visits.ts';
import type { Failure, Report, TunnelName } from '../report.ts';
import type { PeopleReport } from '../report-people.ts';
import type { Tunnel } from '../tunnel.ts';
import type { TunnelSpec } from '../tunnel-spec.ts';
import { newerVersionText } from '../version.ts';
import {
  frame,
  labelled,
  type ScreenView,
  type ShownRequest,
  type ShownTunnel,
  totalParts,
  tunnelText,
} from './frame.ts';
import { Statistics } from './statistics.ts';
import { type Terminal, TerminalScreen } from './terminal-screen.ts';

export interface ScreenReportOptions {
  readonly terminal: Terminal;
  readonly place: CommandPlace;
  readonly colours: boolean;
  /** True if there is a tunnel whose requests are seen. */
  readonly seesRequests: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Gets what must not be lost with the screen. */
  readonly people: PeopleReport;
  readonly out: LinePrinter;
}

/** More than any terminal is high. */
const LATEST = 500;
const MESSAGES = 4;

export class ScreenReport implements Report {
  readonly #options: ScreenReportOptions;
  readonly #screen: TerminalScreen;
  readonly #statistics = new Statistics();
  readonly #tunnels = new Map<Tunnel, ShownTunnel>();
  readonly #messages = new Latest<string>(MESSAGES);
  readonly #requests = new Latest<ShownRequest>(LATEST);
  readonly #failures: (readonly [Failure, TunnelName])[] = [];
  /** Visitors that were refused, too, by the tunnel, and the line that states it. */
  readonly #leftOut = new Map<TunnelName, { readonly count: number; readonly line: ShownRequest }>();
  #session: AgentState = { state: 'connecting' };
  /** Null while there is one, and one is useful. */
  #connections: AgentConnections | null = null;
  #retryAt = 0;
  #latencyMs: number | null = null;
  #inspector: string | null = null;
  /** The newer version that was reported last; '' before. */
  #newest = '';

  constructor(options: ScreenReportOptions) {
    this.#options = options;
    this.#screen = new TerminalScreen(options.terminal, (size) => frame(this.#view(), size, options.colours));
  }

  state(state: AgentState): void {
    this.#session = state;
    if (state.state !== 'online') this.#latencyMs = null;
    if (state.state === 'offline') this.#retryAt = this.#options.now() + state.retryInMs;
    if (state.state === 'online' && state.banner !== '') this.notice(state.banner, null);
    if (state.state === 'online' && state.newerVersion !== undefined) this.#newer(state.newerVersion);
    this.#screen.changed();
  }

  /** Once for each version. */
  #newer(version: string): void {
    if (version === this.#newest) return;
    this.#newest = version;
    this.notice(newerVersionText(version), null);
  }

  connections(connections: AgentConnections): void {
    this.#connections = connections;
    this.#screen.changed();
  }

  latency(roundTripMs: number): void {
    this.#latencyMs = roundTripMs;
    this.#screen.changed();
  }

  inspector({ pageUrl }: InspectorServer): void {
    this.#inspector = pageUrl;
    this.#screen.changed();
  }

  bound(tunnel: Tunnel, { name, upstream }: TunnelSpec): void {
    const labels = Object.entries(tunnel.labels ?? {}).map(([key, value]) => `${key}=${value}`);
    const from = printable(tunnel.url ?? `labels ${labels.join(', ')}`);
    this.#tunnels.set(tunnel, { name, from, to: printableLine(upstream.text), isOver: false });
    this.#screen.changed();
  }

  exchange(exchange: LoggedRequest, name: TunnelName): void {
    const now = this.#options.now();
    const { method, path, status, durationMs, fault, grpc } = exchange;
    const failure = fault === undefined ? grpcFailure(grpc) : `invalid response (${oneLine(fault)})`;
    this.#statistics.add(exchange, now);
    this.#requests.add({
      at: now,
      name,
      status: fault === undefined ? status : null,
      durationMs,
      isFailed: grpcFailure(grpc) !== null,
      text: `${printable(method)} ${printablePath(path)}${failure === null ? '' : `  ${failure}`}`,
    });
    this.#screen.changed();
  }

  refused({ visits, leftOut }: RefusedVisits, name: TunnelName): void {
    for (const visit of visits) {
      const { what, why } = refusedText(visit);
      const text = `${visit.status ?? 'closed'}  ${what}  ${why}`;
      this.#requests.add({ at: visit.at, name, status: null, durationMs: null, text });
    }
    if (leftOut > 0) this.#refusedMore(leftOut, name);
    this.#screen.changed();
  }

  /** Adds the number to the latest line, so that requests keep their room. */
  #refusedMore(leftOut: number, name: TunnelName): void {
    const before = this.#leftOut.get(name);
    if (before !== undefined) this.#requests.removeLast((it) => it === before.line);
    const count = (before?.count ?? 0) + leftOut;
    const line = { at: this.#options.now(), name, status: null, durationMs: null, text: leftOutText(count) };
    this.#leftOut.set(name, { count, line });
    this.#requests.add(line);
  }

  upstreamError(message: string, name: TunnelName): void {
    const text = oneLine(message);
    // Only the latest of the requests that fail alike has the text. This leaves room for other requests.
    this.#requests.removeLast((it) => it.durationMs === null && it.name === name && it.text === text);
    this.#requests.add({ at: this.#options.now(), name, status: null, durationMs: null, text });
    this.#screen.changed();
  }

  notice(message: string, name: TunnelName): void {
    this.#messages.add(`${name === null ? '' : `${name}: `}${oneLine(message)}`);
    this.#screen.changed();
  }

  failure(failure: Failure, name: TunnelName): void {
    this.#failures.push([failure, name]);
    for (const [tunnel, shown] of this.#tunnels)
      if (name === null || shown.name === name) this.#tunnels.set(tunnel, { ...shown, isOver: true });
    this.notice(`${failure.message} ${failure.advice}`, name);
  }

  /** Leaves the screen; what it showed last is left behind in lines. */
  async close(): Promise<void> {
    await this.#screen.close();
    const { out, people, seesRequests, now } = this.#options;
    for (const tunnel of this.#tunnels.values()) out.print(`${labelled('Forwarded')}${tunnelText(tunnel)}`);
    // A session that never started has no requests, and prints its reason only.
    if (seesRequests && this.#tunnels.size > 0) {
      const parts = totalParts(this.#statistics.summary(now()));
      out.print(`${labelled('Requests')}${parts.map(({ text }) => text).join('  ')}`);
    }
    for (const [failure, name] of this.#failures) people.failure(failure, name);
  }

  #view(): ScreenView {
    const now = this.#options.now();
    return {
      ...this.#options.place,
      session: shown(this.#session),
      connections: this.#connections,
      latencyMs: this.#latencyMs,
      inspector: this.#inspector,
      tunnels: [...this.#tunnels.values()],
      requests: this.#options.seesRequests ? this.#statistics.summary(now) : null,
      messages: this.#messages.all,
      latest: this.#requests.all,
      retryAt: this.#retryAt,
      now,
    };
  }
}

function shown(state: AgentState): AgentState {
  switch (state.state) {
    case 'connecting':
      return state;
    case 'online':
      return { ...state, region: printable(state.region), sessionId: printable(state.sessionId) };
    case 'offline':
      return { ...state, reason: oneLine(state.reason) };
    default:
      return state satisfies never;
  }
}

function oneLine(text: string): string {
  return printableLine(text.replace(/\s+/g, ' ').trim());
}

/** The latest of many. */
class Latest<T> {
  readonly #most: number;
  #items: T[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get all(): readonly T[] {
    return this.#items.slice(-this.#most);
  }

  add(item: T): void {
    this.#items.push(item);
    if (this.#items.length >= 2 * this.#most) this.#items = this.#items.slice(-this.#most);
  }

  removeLast(isIt: (item: T) => boolean): void {
    const at = this.#items.findLastIndex(isIt);
    if (at >= 0) this.#items.splice(at, 1);
  }
}
