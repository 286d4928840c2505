/** The report for programs. */
import type { AgentConnections, AgentState } from './agent-options.ts';
import type { LoggedRequest } from './http-log.ts';
import type { InspectorServer } from './inspector/server.ts';
import type { LinePrinter } from './lines.ts';
import { codeIn } from './refused.ts';
import type { RefusedVisits } from './refused-visits.ts';
import type { Failure, Report, TunnelName } from './report.ts';
import type { Tunnel } from './tunnel.ts';
import type { TunnelSpec } from './tunnel-spec.ts';

/**
 * One JSON object a line: `time` in RFC 3339, UTC with milliseconds, then `event`, its kind. `name` is the one of several tunnels.
 */
export class JsonReport implements Report {
  readonly #lines: LinePrinter;
  readonly #now: () => number;

  /** `now`: milliseconds since 1970. */
  constructor(lines: LinePrinter, now: () => number = Date.now) {
    this.#lines = lines;
    this.#now = now;
  }

  state(state: AgentState): void {
    if (state.state === 'online') {
      const { region, sessionId, newerVersion } = state;
      const newer = newerVersion === undefined ? {} : { newer_version: newerVersion };
      this.#print({ event: 'connection', state: 'online', region, session_id: sessionId, ...newer });
    } else if (state.state === 'offline') {
      const { reason, retryInMs } = state;
      const code = codeIn(reason) ?? null;
      this.#print({
        ...{ event: 'connection', state: 'offline', reason, code },
        retry_in_ms: Math.round(retryInMs),
      });
    } else this.#print({ event: 'connection', state: 'connecting' });
  }

  connections({ open, wanted, sessionIds }: AgentConnections): void {
    this.#print({ event: 'connections', open, wanted, session_ids: sessionIds });
  }

  latency(): void {}

  inspector({ url, token }: InspectorServer): void {
    this.#print({ event: 'inspector', url, token });
  }

  bound(tunnel: Tunnel, { name, upstream }: TunnelSpec): void {
    const { url, tunnelId, labels } = tunnel;
    const told = { url, tunnel_id: tunnelId, labels, forwards_to: upstream.text };
    this.#print({ event: 'tunnel', ...named(name), ...told });
  }

  exchange(exchange: LoggedRequest, name: TunnelName): void {
    const { method, path, host, clientAddr, status, durationMs, bytesIn, bytesOut, fault, grpc } = exchange;
    const text = Buffer.from(path, 'latin1').toString('utf8');
    const duration = Math.round(durationMs * 1_000) / 1_000;
    const told = {
      ...{ method, host, path: text, client_addr: clientAddr, status, duration_ms: duration },
      ...{ bytes_in: bytesIn, bytes_out: bytesOut },
      ...(fault === undefined ? {} : { fault }),
      ...(grpc === undefined ? {} : { grpc }),
    };
    this.#offer({ event: 'request', ...named(name), ...told });
  }

  refused({ visits, leftOut }: RefusedVisits, name: TunnelName): void {
    for (const { at, client, ...visit } of visits) {
      const told = { event: 'refused', ...named(name), ...visit, client_addr: client };
      this.#lines.offer(JSON.stringify({ time: timeText(at), ...told }));
    }
    if (leftOut > 0) this.#offer({ event: 'refused_more', ...named(name), count: leftOut });
  }

  upstreamError(message: string, name: TunnelName): void {
    this.#offer({ event: 'upstream', ...named(name), message });
  }

  notice(message: string, name: TunnelName): void {
    this.#print({ event: 'notice', ...named(name), message });
  }

  failure({ message, code, advice }: Failure, name: TunnelName): void {
    this.#print({ event: 'error', ...named(name), message, code: code ?? null, advice });
  }

  static leftOutLine(count: number): string {
    return JSON.stringify({ time: timeText(Date.now()), event: 'left_out', count });
  }

  #print(event: Record<string, unknown>): void {
    this.#lines.print(this.#line(event));
  }

  /** May be left out. */
  #offer(event: Record<string, unknown>): void {
    this.#lines.offer(this.#line(event));
  }

  #line(event: Record<string, unknown>): string {
    return JSON.stringify({ time: timeText(this.#now()), ...event });
  }
}

/** RFC 3339, in UTC with milliseconds. */
function timeText(at: number): string {
  return new Date(at).toISOString();
}

function named(name: TunnelName): { readonly name?: string } {
  return name === null ? {} : { name };
}
