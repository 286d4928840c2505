/** Links between daemons of one database, as other modules see them. */
import type { MuxStream, StreamHandler } from '@underpass/wire';

/** Types of streams and calls on a link: the first four bytes of a stream. */
export const LinkStream = {
  /** A call: the versions and incarnations of both ends. */
  hello: 1,
  /** A stream of a visitor to a tunnel of the other daemon. */
  hop: 2,
  /** A call: modules and TLS settings of tunnels, by number. */
  modules: 3,
  /** A call: a request to an agent of the other daemon. */
  ask: 4,
  /** A call: keys whose tunnels a claim has replaced. The answer comes when they have ended. */
  replaced: 5,
  /** A call: idle streams of a session are to be given back. */
  giveBack: 6,
  /** A call: visitors that were refused, for an agent of the other daemon. */
  refused: 7,
  /** A call: visits of tunnels whose agent shows them. */
  visits: 8,
  /** A call: the answer comes when the other daemon has applied a revision of the documents, or is late. */
  applied: 9,
  /** A call of a daemon that cannot renew. It requests a report about renewals, or its own end, because it is isolated. */
  isolation: 10,
  /** A call: a question by name about what the other daemon has seen, for responses of the API. */
  question: 11,
} as const;
export type LinkStream = (typeof LinkStream)[keyof typeof LinkStream];

/** The version of links that brought each type. */
const since: Readonly<Record<LinkStream, number>> = {
  [LinkStream.hello]: 1,
  [LinkStream.hop]: 1,
  [LinkStream.modules]: 1,
  [LinkStream.ask]: 1,
  [LinkStream.replaced]: 1,
  [LinkStream.giveBack]: 1,
  [LinkStream.refused]: 1,
  [LinkStream.visits]: 1,
  [LinkStream.applied]: 1,
  [LinkStream.isolation]: 1,
  [LinkStream.question]: 1,
};

/** Returns true if a daemon that speaks the version knows the type. */
export function isKnownTo(version: number, type: LinkStream): boolean {
  return since[type] <= version;
}

/** Another daemon. The same object for as long as it lives. */
export interface Peer {
  /** The incarnation of the daemon. */
  readonly incarnation: number;
  /** A link is up, so streams can be opened. */
  readonly isUp: boolean;
  /** Both daemons are on one machine: they reach each other by a Unix socket. */
  readonly isOnThisMachine: boolean;
  readonly region: string;
  /** Opens a stream, whose first bytes are `first`. Null: no link is up, it has no room, or the other daemon is too old. */
  open(type: LinkStream, handler: StreamHandler, first: Uint8Array): MuxStream | null;
  /**
   * Sends a JSON value and resolves with the answer. Rejects with WireError: no link is up, or no answer came in time.
   * The code `streamRefused`: the other daemon is of an older version, which does not know the call.
   */
  call(type: LinkStream, body: object, timeoutMs?: number): Promise<unknown>;
}

export interface Peers {
  /** Undefined: no such daemon lives, as far as this one knows. */
  get(incarnation: number): Peer | undefined;
  /** Every other daemon that lives. */
  all(): Iterable<Peer>;
  /** `changed` is called when a link of a daemon comes up or goes down, or the daemon is known to be dead. */
  onChange(changed: (peer: Peer) => void): void;
  /** Serves streams of a type that other daemons open. `from`: the incarnation of the opener. Must not throw. */
  serve(type: LinkStream, accept: (stream: MuxStream, from: number) => void): void;
  /** Serves calls of a type. A rejected answer resets the call. */
  answer(type: LinkStream, respond: (body: unknown, from: number) => unknown): void;
}

/** No daemon can be reached. */
export const noPeers: Peers = {
  get: () => undefined,
  all: () => [],
  onChange() {},
  serve() {},
  answer() {},
};
