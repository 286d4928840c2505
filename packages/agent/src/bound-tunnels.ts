/**
 * Tunnels on one connection with the service, and the visitors that it brings for them.
 * Invariant: a visitor that arrives before the response to its tunnel's bind request waits for it.
 */
import { ErrorCode, type MuxStream, type ProxyHeader } from '@underpass/wire';
import type { Binding } from './binding.ts';
import type { KeptTunnel } from './tunnel.ts';

/** State of a tunnel that is not bound here: requested, to be requested again, or refused while another connection has it. */
type Unbound = 'requested' | 'waiting' | 'refused';

export class BoundTunnels {
  readonly #byId = new Map<string, KeptTunnel>();
  readonly #bindings = new Map<KeptTunnel, Binding>();
  readonly #unbound = new Map<KeptTunnel, Unbound>();
  #requested = 0;
  #pending: { readonly stream: MuxStream; readonly header: ProxyHeader }[] = [];

  /** The tunnels that are bound here. */
  get all(): Iterable<KeptTunnel> {
    return this.#bindings.keys();
  }

  get(id: string): KeptTunnel | undefined {
    return this.#byId.get(id);
  }

  /** The result of the bind; undefined if the tunnel is not bound here. */
  bindingOf(tunnel: KeptTunnel): Binding | undefined {
    return this.#bindings.get(tunnel);
  }

  unbound(tunnel: KeptTunnel): Unbound | undefined {
    return this.#unbound.get(tunnel);
  }

  /** Notes a bind request. Call `responded` after its response. */
  request(tunnel: KeptTunnel): void {
    this.#unbound.set(tunnel, 'requested');
    this.#requested++;
  }

  responded(tunnel: KeptTunnel): void {
    if (this.#unbound.get(tunnel) === 'requested') this.#unbound.delete(tunnel);
    this.#requested--;
    this.#deliverPending();
  }

  /** Notes that the tunnel is not bound for now, or is not to be bound here. */
  postpone(tunnel: KeptTunnel, how: 'waiting' | 'refused'): void {
    this.#unbound.set(tunnel, how);
  }

  add(tunnel: KeptTunnel, binding: Binding): void {
    this.#unbound.delete(tunnel);
    this.#bindings.set(tunnel, binding);
    this.#byId.set(binding.id, tunnel);
  }

  /** Forgets the tunnel. Returns its bind id; undefined if it is not bound here. */
  remove(tunnel: KeptTunnel): string | undefined {
    const id = this.#bindings.get(tunnel)?.id;
    this.#bindings.delete(tunnel);
    if (this.#unbound.get(tunnel) !== 'requested') this.#unbound.delete(tunnel);
    if (id !== undefined && this.#byId.get(id) === tunnel) this.#byId.delete(id);
    return id;
  }

  /** Takes a proxied connection whose header was read. */
  proxy(stream: MuxStream, header: ProxyHeader): void {
    const tunnel = this.#byId.get(header.Id);
    if (tunnel !== undefined) tunnel.parts.connection(stream, header);
    else if (this.#requested === 0) stream.reset(ErrorCode.streamRefused);
    else {
      stream.pause();
      // Visitors that left meanwhile are not kept.
      if (this.#pending.length % 64 === 63) this.#pending = this.#pending.filter((one) => !one.stream.closed);
      this.#pending.push({ stream, header });
    }
  }

  #deliverPending(): void {
    const pending = this.#pending;
    this.#pending = [];
    for (const { stream, header } of pending) {
      if (stream.closed) continue;
      stream.resume();
      this.proxy(stream, header);
    }
  }
}
