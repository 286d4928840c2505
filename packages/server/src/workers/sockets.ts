/**
 * The listening sockets of the workers, by seat: a number from 1 to the number of workers. The supervisor opens them, and holds them while a worker restarts: connections
 * wait in them meanwhile.
 *
 * Each worker has a socket of its own at the same address. The system divides connections evenly among such sockets,
 * which it does not among processes that share one. A socket of a service manager is one, so its workers share it.
 * A worker is replaced beside its successor: both have the sockets of one seat, until the older one has closed them.
 * Invariant: a socket that no worker serves for long gets no connections, unless there is no other one.
 */
import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { BoundSocket, isIP } from 'node:net';
import type { Inherited } from '../command/inherited.ts';
import type { ListenAddress, Settings } from '../core/settings.ts';
import { EVERY_ADDRESS, ListenError } from '../system/listen.ts';

type Name = 'listen' | 'http-listen' | 'ssh-listen';

/** An address as Node binds it, without names. */
interface Place extends ListenAddress {
  readonly name: Name;
}

const MIGRATION = '/proc/sys/net/ipv4/tcp_migrate_req';

/** True if the system hands connections that wait in a closed socket to another socket at the same address. */
export function migratesConnections(): boolean {
  try {
    return readFileSync(MIGRATION, 'utf8').trim() === '1';
  } catch {
    return false;
  }
}

/** Settings with the addresses of the sockets. */
interface Listening {
  readonly settings: Pick<Settings, 'listen' | 'httpListen' | 'sshListen'>;
}

export class Sockets {
  readonly #places: readonly Place[];
  readonly #count: number;
  /** Sockets by seat. */
  readonly #bound = new Map<number, Map<Name, BoundSocket>>();
  /** Seats with two workers at the moment. */
  readonly #doubled = new Set<number>();

  private constructor(places: readonly Place[], count: number) {
    this.#places = places;
    this.#count = count;
  }

  /** Opens the sockets of all workers. Rejects with ListenError, and then holds none. */
  static async open({ settings }: Listening, count: number): Promise<Sockets> {
    const wanted: readonly (readonly [Name, ListenAddress | null])[] = [
      ['listen', settings.listen],
      ['http-listen', settings.httpListen],
      ['ssh-listen', settings.sshListen],
    ];
    const places: Place[] = [];
    for (const [name, address] of wanted) if (address !== null) places.push(await placeOf(name, address));
    const sockets = new Sockets(places, count);
    // A socket of several processes may be opened beside those of another supervisor. This one may not.
    for (const place of places) if (place.descriptor === undefined) bind(place, false).close();
    try {
      for (let seat = 1; seat <= count; seat += 1) sockets.#bind(seat);
    } catch (error) {
      sockets.close();
      throw error;
    }
    return sockets;
  }

  /** True if a service manager keeps the socket of the front door over restarts of the supervisor. */
  get areInherited(): boolean {
    return this.#places.some(({ name, descriptor }) => name === 'listen' && descriptor !== undefined);
  }

  /** The descriptors for a worker of a seat that is to be started, in this process. Throws ListenError. */
  of(seat: number): ReadonlyMap<Name, number> {
    const own = this.#bound.get(seat) ?? this.#bind(seat);
    return new Map(
      this.#places.flatMap(({ name, descriptor }) => {
        const fd = descriptor ?? own.get(name)?.fd() ?? -1;
        return fd < 0 ? [] : [[name, fd] as const];
      }),
    );
  }

  /** Closes those of a worker that ended, if others can serve its visitors. They are opened with its next start. */
  giveUp(seat: number): void {
    if (this.#count === 1 || this.#doubled.has(seat)) return;
    this.#close(seat);
  }

  /** True: two workers serve a seat, so its sockets stay whatever happens to one of them. */
  double(seat: number, isDoubled: boolean): void {
    if (isDoubled) this.#doubled.add(seat);
    else this.#doubled.delete(seat);
  }

  /** Idempotent. Sockets of a service manager stay open. */
  close(): void {
    for (const seat of [...this.#bound.keys()]) this.#close(seat);
  }

  #close(seat: number): void {
    for (const socket of this.#bound.get(seat)?.values() ?? []) socket.close();
    this.#bound.delete(seat);
  }

  #bind(seat: number): ReadonlyMap<Name, BoundSocket> {
    const own = new Map<Name, BoundSocket>();
    this.#bound.set(seat, own);
    for (const place of this.#places)
      if (place.descriptor === undefined) own.set(place.name, bind(place, this.#count > 1));
    return own;
  }
}

/** The facts for a worker. Its channel to the supervisor is the descriptor before the first socket. */
export function inheritedAs(descriptors: ReadonlyMap<Name, number>, first: number): Inherited {
  return Object.fromEntries([...descriptors.keys()].map((name, at) => [name, first + at]));
}

async function placeOf(name: Name, address: ListenAddress): Promise<Place> {
  const { host, descriptor } = address;
  if (descriptor !== undefined || isIP(host) !== 0) return { ...address, name };
  try {
    return { ...address, name, host: (await lookup(host)).address };
  } catch (error) {
    throw new ListenError(address, error as NodeJS.ErrnoException);
  }
}

function bind(place: Place, reusePort: boolean): BoundSocket {
  const { host, port } = place;
  try {
    return new BoundSocket({ host, port, reusePort });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A machine without IPv6.
    const isWithoutSix = host === EVERY_ADDRESS && ['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL'].includes(code);
    if (isWithoutSix) return bind({ ...place, host: '0.0.0.0' }, reusePort);
    throw new ListenError(place, error as NodeJS.ErrnoException);
  }
}
