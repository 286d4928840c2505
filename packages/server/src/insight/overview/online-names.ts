/** Names and addresses that tunnels of an account serve. */
import { type Hostname, parentPatterns } from '../../core/names/hostname.ts';
import type { EndpointFacts } from '../../online/tunnel-facts.ts';

export class OnlineNames {
  /** Hosts, and addresses as `host:port`. */
  readonly names = new Set<string>();
  /** Wildcards above the names. */
  readonly #above = new Set<string>();

  add(endpoint: EndpointFacts): void {
    const name = nameOf(endpoint);
    if (this.names.has(name)) return;
    this.names.add(name);
    for (const pattern of patternsAbove(name)) this.#above.add(pattern);
  }

  /** Returns true for a name that is served, for one below a wildcard that is, and for a wildcard above one. */
  has(name: string): boolean {
    return (
      this.names.has(name) || this.#above.has(name) || patternsAbove(name).some((one) => this.names.has(one))
    );
  }
}

function patternsAbove(name: string): readonly string[] {
  return parentPatterns(name.replace(/^\*\./, '').replace(/:\d+$/, '') as Hostname);
}

function nameOf(endpoint: EndpointFacts): string {
  return endpoint.port === null ? endpoint.hostname : `${endpoint.hostname}:${endpoint.port}`;
}
