/** The report for programs. */
import type { AgentState } from './agent.ts';
import type { LoggedRequest } from './http-log.ts';
import type { LinePrinter } from './lines.ts';
import type { Report } from './report.ts';
import type { Tunnel } from './tunnel.ts';

/** One JSON object a line, told apart by `event`. */
export class JsonReport implements Report {
  readonly #lines: LinePrinter;
  readonly #forwardsTo: string;

  constructor(lines: LinePrinter, forwardsTo: string) {
    this.#lines = lines;
    this.#forwardsTo = forwardsTo;
  }

  state(state: AgentState): void {
    if (state.state === 'online') {
      const { region, sessionId } = state;
      this.#print({ event: 'connection', state: 'online', region, session_id: sessionId });
    } else if (state.state === 'offline') {
      const { reason, retryInMs } = state;
      this.#print({ event: 'connection', state: 'offline', reason, retry_in_ms: Math.round(retryInMs) });
    } else this.#print({ event: 'connection', state: 'connecting' });
  }

  bound(tunnel: Tunnel): void {
    const { url, tunnelId, labels } = tunnel;
    this.#print({ event: 'tunnel', url, tunnel_id: tunnelId, labels, forwards_to: this.#forwardsTo });
  }

  exchange({ method, path, status, durationMs }: LoggedRequest): void {
    const text = Buffer.from(path, 'latin1').toString('utf8');
    const duration = Math.round(durationMs * 1_000) / 1_000;
    this.#lines.offer(
      JSON.stringify({ event: 'request', method, path: text, status, duration_ms: duration }),
    );
  }

  upstreamError(message: string): void {
    this.#lines.offer(JSON.stringify({ event: 'upstream', message }));
  }

  notice(message: string): void {
    this.#print({ event: 'notice', message });
  }

  failure(message: string, code: string | undefined, advice: string): void {
    this.#print({ event: 'error', message, code: code ?? null, advice });
  }

  static leftOutLine(count: number): string {
    return JSON.stringify({ event: 'left_out', count });
  }

  #print(event: Record<string, unknown>): void {
    this.#lines.print(JSON.stringify(event));
  }
}
