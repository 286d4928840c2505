/** The report for programs. */
import type { AgentState } from './agent-options.ts';
import type { LoggedRequest } from './http-log.ts';
import type { InspectorServer } from './inspector/server.ts';
import type { LinePrinter } from './lines.ts';
import type { RefusedVisits } from './refused-visits.ts';
import type { Failure, Report, TunnelName } from './report.ts';
import type { Tunnel } from './tunnel.ts';
import type { TunnelSpec } from './tunnel-spec.ts';

/** One JSON object a line, told apart by `event`; `name` says which of several tunnels it is about. */
export class JsonReport implements Report {
  readonly #lines: LinePrinter;

  constructor(lines: LinePrinter) {
    this.#lines = lines;
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

  latency(): void {}

  inspector({ url, token }: InspectorServer): void {
    this.#print({ event: 'inspector', url, token });
  }

  bound(tunnel: Tunnel, { name, upstream }: TunnelSpec): void {
    const { url, tunnelId, labels } = tunnel;
    const told = { url, tunnel_id: tunnelId, labels, forwards_to: upstream.text };
    this.#print({ event: 'tunnel', ...named(name), ...told });
  }

  exchange({ method, path, status, durationMs, fault, grpc }: LoggedRequest, name: TunnelName): void {
    const text = Buffer.from(path, 'latin1').toString('utf8');
    const duration = Math.round(durationMs * 1_000) / 1_000;
    const told = {
      method,
      path: text,
      status,
      duration_ms: duration,
      ...(fault === undefined ? {} : { fault }),
      ...(grpc === undefined ? {} : { grpc }),
    };
    this.#lines.offer(JSON.stringify({ event: 'request', ...named(name), ...told }));
  }

  refused({ visits, leftOut }: RefusedVisits, name: TunnelName): void {
    for (const { at, client, ...visit } of visits) {
      const told = { time: new Date(at).toISOString(), ...visit, client_addr: client };
      this.#lines.offer(JSON.stringify({ event: 'refused', ...named(name), ...told }));
    }
    if (leftOut > 0)
      this.#lines.offer(JSON.stringify({ event: 'refused_more', ...named(name), count: leftOut }));
  }

  upstreamError(message: string, name: TunnelName): void {
    this.#lines.offer(JSON.stringify({ event: 'upstream', ...named(name), message }));
  }

  notice(message: string, name: TunnelName): void {
    this.#print({ event: 'notice', ...named(name), message });
  }

  failure({ message, code, advice }: Failure, name: TunnelName): void {
    this.#print({ event: 'error', ...named(name), message, code: code ?? null, advice });
  }

  static leftOutLine(count: number): string {
    return JSON.stringify({ event: 'left_out', count });
  }

  #print(event: Record<string, unknown>): void {
    this.#lines.print(JSON.stringify(event));
  }
}

function named(name: TunnelName): { readonly name?: string } {
  return name === null ? {} : { name };
}
