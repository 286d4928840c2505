/**
 * Reports what the edge refused to the agents that it was on its way to.
 * Invariant: a report goes to tunnels of the account that owns the site, and to no others.
 */
import type { Settings } from '../core/settings.ts';
import type { RefusedClient } from '../edge/listeners/front-door.ts';
import { everyRouteOf } from '../edge/sites/every-route.ts';
import type { ExchangeRecord } from '../edge/sites/exchange-record.ts';
import type { Backend } from '../edge/sites/site.ts';
import { catalogue, type ErrorName } from '../errors/catalogue.ts';
import { printableLine } from '../errors/printable.ts';
import { errorCode, Problem } from '../errors/problem.ts';
import type { LoginFault } from '../login/login-fault.ts';
import type { Refusal } from '../online/refusal.ts';

/** Characters of a method, of a path and of a reason. */
const longest = { method: 32, path: 512, reason: 512 };
/** Most agents that are notified of one refused visitor, of all that share a name or labels. */
const mostAgents = 16;
/** Conditions of the service behind an agent, which has seen the request and names the fault itself. */
const knownToAgents: ReadonlySet<ErrorName> = new Set([
  'upstreamUnreachable',
  'upstreamClosed',
  'upstreamResponseInvalid',
]);

export class RefusedVisits {
  readonly #errorPrefix: string;
  readonly #ports: PublicPorts;
  readonly #now: () => number;

  /** `now`: milliseconds since 1970. */
  constructor(errorPrefix: string, ports: PublicPorts, now: () => number) {
    this.#errorPrefix = errorPrefix;
    this.#ports = ports;
    this.#now = now;
  }

  /** Called for every request and connection that has ended: cheap unless it was refused. */
  observe(record: ExchangeRecord): void {
    const { error, reason, to, account } = record;
    if ((error === null && reason === null) || to === null) return;
    if (error !== null && knownToAgents.has(error)) return;
    report(account, to, () => this.#ofRecord(record));
  }

  /** A visitor without a client certificate that the site takes. */
  client({ site, clientAddr, hostname, error, why }: RefusedClient): void {
    report(site.account, everyRouteOf(site), () => {
      const reason = why === '' ? null : `${messageOf(error, hostname)} The reason is ${why}.`;
      const connection = {
        clientAddr,
        hostname,
        host: this.#host(hostname),
        method: '',
        path: '',
        status: 0,
      };
      return this.#refusal({ ...connection, at: this.#now(), error, reason, module: 'mutual_tls' });
    });
  }

  /** A login that was refused at the name of identity providers, for a page that is `served`. */
  login({ account, to }: Served, { page, client, fault }: RefusedLogin): void {
    report(account, to, () =>
      this.#refusal({
        ...{ clientAddr: client, hostname: page.hostname, host: page.host },
        ...{ method: 'POST', path: page.pathname },
        ...{ at: this.#now(), status: catalogue[fault.code].status, module: 'saml' },
        ...{ error: fault.code, reason: fault.message },
      }),
    );
  }

  #ofRecord(record: ExchangeRecord): Refusal {
    const { connection, decisions, kind } = record;
    const hostname = connection.serverName ?? '';
    const isPlain = kind === 'http' && connection.tls === null;
    const module = Array.from(decisions).findLast(([, decision]) => decision === 'block')?.[0] ?? '';
    return this.#refusal({
      ...record,
      at: this.#now() - record.durationMs,
      clientAddr: connection.clientAddr,
      hostname,
      host: this.#host(hostname, isPlain),
      module,
    });
  }

  /** The public address of a name, written like a `Host` header: a standard port is left out. */
  #host(hostname: string, isPlain = false): string {
    const { publicPort, plainPort } = this.#ports;
    const [port, standard] = isPlain ? [plainPort ?? 80, 80] : [publicPort, 443];
    return hostname === '' || port === standard ? hostname : `${hostname}:${port}`;
  }

  #refusal(facts: Facts): Refusal {
    const { at, clientAddr, host, status, error, module } = facts;
    const message = error === null ? '' : messageOf(error, facts.hostname);
    return {
      ...{ at, clientAddr, host, status, module },
      method: cut(facts.method, longest.method),
      // Heads are read one character a byte.
      path: cut(Buffer.from(facts.path, 'latin1').toString(), longest.path),
      code: error === null ? '' : errorCode(this.#errorPrefix, error),
      reason: cut(facts.reason ?? message, longest.reason),
    };
  }
}

/** Ports in public addresses: of TLS, and of plain HTTP. */
type PublicPorts = Pick<Settings, 'publicPort' | 'plainPort'>;

interface Facts extends Omit<Refusal, 'code' | 'reason'> {
  readonly hostname: string;
  readonly error: ErrorName | null;
  readonly reason: string | null;
}

interface Served {
  readonly account: string;
  readonly to: Pick<Backend, 'tunnels'>;
}

interface RefusedLogin {
  readonly page: URL;
  /** Address of the visitor. */
  readonly client: string;
  readonly fault: Pick<LoginFault, 'code' | 'message'>;
}

function messageOf(error: ErrorName, host: string): string {
  return Problem.named(error, { host, servername: host }).message;
}

/** Notifies each agent once, however many of its tunnels could have received the request. */
function report(account: string, to: Pick<Backend, 'tunnels'>, make: () => Refusal): void {
  let made: Refusal | null = null;
  const once = (): Refusal => {
    made ??= make();
    return made;
  };
  const sessions = new Set<string>();
  for (const tunnel of to.tunnels() ?? []) {
    if (sessions.size >= mostAgents) return;
    if (tunnel.facts.account !== account || sessions.has(tunnel.session)) continue;
    sessions.add(tunnel.session);
    tunnel.refused?.(once);
  }
}

function cut(text: string, most: number): string {
  return printableLine(text.length > most ? `${text.slice(0, most)}…` : text);
}
