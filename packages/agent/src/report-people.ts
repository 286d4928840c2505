/**
 * The report for people.
 * Invariant: foreign text is made printable before it reaches the terminal.
 */
import { adviceOffline } from './advice.ts';
import type { AgentState } from './agent-options.ts';
import type { CommandPlace } from './command-line.ts';
import { grpcFailure } from './grpc.ts';
import type { LoggedRequest } from './http-log.ts';
import type { InspectorServer } from './inspector/server.ts';
import type { LinePrinter } from './lines.ts';
import { printable, printableMessage, printablePath } from './printable.ts';
import { leftOutText, type RefusedVisits, refusedText } from './refused-visits.ts';
import type { Failure, Report, TunnelName } from './report.ts';
import { clockText, colourOf, durationText, GREEN, RED, RESET, YELLOW } from './terminal-text.ts';
import type { Tunnel } from './tunnel.ts';
import type { TunnelSpec } from './tunnel-spec.ts';
import { newerVersionText } from './version.ts';

export interface PeopleReportOptions {
  readonly out: LinePrinter;
  readonly errors: LinePrinter;
  readonly place: CommandPlace;
  readonly colours: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const SAME_ERROR_MS = 1_000;

/** Lines for a terminal. Everything that comes from elsewhere is made printable first. */
export class PeopleReport implements Report {
  readonly #options: PeopleReportOptions;
  #isFirstAttempt = true;
  #isAdvised = false;
  /** The newer version that was reported last; '' before. */
  #newest = '';
  /** Reason of the latest failed attempt. */
  #reason = '';
  /** Shown URL by tunnel. */
  readonly #shown = new WeakMap<Tunnel, string>();
  #second = -1;
  #time = '';
  readonly #upstreamErrorAt = new Map<TunnelName, number>();

  constructor(options: PeopleReportOptions) {
    this.#options = options;
  }

  state(state: AgentState): void {
    if (state.state === 'online') {
      this.#isAdvised = false;
      this.#reason = '';
      const session = state.sessionId === '' ? '' : `, session ${printable(state.sessionId)}`;
      this.#line('Online', `region ${printable(state.region)}${session}`, GREEN);
      if (state.banner !== '') this.notice(state.banner, null);
      if (state.newerVersion !== undefined) this.#newer(state.newerVersion);
    } else if (state.state === 'offline') {
      const wait = (state.retryInMs / 1_000).toFixed(1);
      const reason = printableMessage(state.reason).replace(/\s*\n\s*/g, ' ');
      const told = reason === this.#reason ? 'as before' : reason;
      this.#reason = reason;
      this.#line('Offline', `${told}; trying again in ${wait} s`, YELLOW);
      this.#advise(state);
    } else if (this.#isFirstAttempt) {
      this.#isFirstAttempt = false;
      this.#line('Connecting', this.#options.place.server, '');
    }
  }

  /** Once for each version. */
  #newer(version: string): void {
    if (version === this.#newest) return;
    this.#newest = version;
    this.notice(newerVersionText(version), null);
  }

  /** Once, until there is a session again. */
  #advise(offline: { readonly failures: number; readonly reason: string }): void {
    const advice = adviceOffline(offline, this.#options.place);
    if (advice === null || this.#isAdvised) return;
    this.#isAdvised = true;
    this.#options.out.print(advice);
  }

  /** Lines show the connection as a whole. */
  connections(): void {}

  /** Lines have no latency. */
  latency(): void {}

  inspector({ pageUrl }: InspectorServer): void {
    this.#line('Inspector', pageUrl, '');
  }

  bound(tunnel: Tunnel, { name, upstream }: TunnelSpec): void {
    const labels = Object.entries(tunnel.labels ?? {}).map(([key, value]) => `${key}=${value}`);
    const from = tunnel.url ?? `labels ${labels.join(', ')}`;
    if (this.#shown.get(tunnel) === from) return;
    this.#shown.set(tunnel, from);
    this.#line('Forwarding', `${column(name)}${printable(from)} -> ${upstream.text}`, '');
  }

  exchange({ method, path, status, durationMs, fault, grpc }: LoggedRequest, name: TunnelName): void {
    const failure = status === null ? 'no answer' : grpcFailure(grpc);
    const code =
      failure === null ? this.#paint(String(status), colourOf(status ?? 0)) : this.#paint(failure, RED);
    const answer =
      fault === undefined ? code : this.#paint(`invalid response (${printableMessage(fault)})`, RED);
    this.#options.out.offer(
      `${this.#clock()}  ${column(name)}${method} ${printablePath(path)}  ${answer}  ${durationText(durationMs)}`,
    );
  }

  refused({ visits, leftOut }: RefusedVisits, name: TunnelName): void {
    const { out } = this.#options;
    for (const visit of visits) {
      const { what, why } = refusedText(visit);
      const { status } = visit;
      const code =
        status === null ? this.#paint('closed', RED) : this.#paint(String(status), colourOf(status));
      out.offer(`${clockText(visit.at)}  ${column(name)}${what}  ${code}  ${why}`);
    }
    if (leftOut > 0) out.offer(`${this.#clock()}  ${column(name)}${leftOutText(leftOut)}`);
  }

  upstreamError(message: string, name: TunnelName): void {
    const now = this.#options.now();
    if (now - (this.#upstreamErrorAt.get(name) ?? Number.NEGATIVE_INFINITY) < SAME_ERROR_MS) return;
    this.#upstreamErrorAt.set(name, now);
    this.#options.out.offer(
      `${this.#clock()}  ${column(name)}${this.#paint(printableMessage(message), RED)}`,
    );
  }

  notice(message: string, name: TunnelName): void {
    this.#options.out.print(`${subject(name)}${printableMessage(message)}`);
  }

  failure({ message, advice }: Failure, name: TunnelName): void {
    this.#options.errors.print(`underpass: ${subject(name)}${printableMessage(message)}`);
    if (advice !== '') this.#options.errors.print(advice);
  }

  static leftOutLine(count: number): string {
    return `... ${count} lines left out: this output is read too slowly`;
  }

  #line(title: string, text: string, colour: string): void {
    this.#options.out.print(`${this.#paint(title, colour)}${' '.repeat(12 - title.length)}${text}`);
  }

  #paint(text: string, colour: string): string {
    return this.#options.colours && colour !== '' ? `${colour}${text}${RESET}` : text;
  }

  /** Worked out once a second. */
  #clock(): string {
    const second = Math.floor(this.#options.now() / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#time = clockText(second * 1_000);
    }
    return this.#time;
  }
}

function column(name: TunnelName): string {
  return name === null ? '' : `${name}  `;
}

function subject(name: TunnelName): string {
  return name === null ? '' : `${name}: `;
}
