/** The facts of a request as copies of its head: they stay true while the connection's buffers are filled anew. */

import type { Head } from '../../http-syntax/head.ts';
import type { ConnectionFacts, Guard, RequestFacts, Visitor } from '../sites/site.ts';

const none: readonly string[] = [];

/** Facts of a request whose head is not read: its connection, and the decisions so far. */
export class UncopiedFacts implements RequestFacts {
  readonly connection: ConnectionFacts;
  readonly #decisions: () => ReadonlyMap<string, string>;

  constructor(connection: ConnectionFacts, decisions: () => ReadonlyMap<string, string>) {
    this.connection = connection;
    this.#decisions = decisions;
  }

  get decisions(): ReadonlyMap<string, string> {
    return this.#decisions();
  }

  get method(): string {
    return notCopied();
  }

  get target(): string {
    return notCopied();
  }

  values(): readonly string[] {
    return notCopied();
  }

  admittedBy(): Visitor | null {
    return notCopied();
  }
}

function notCopied(): never {
  throw new Error('the facts of a request were not copied for its route');
}

export class CopiedFacts implements RequestFacts {
  readonly connection: ConnectionFacts;
  readonly method: string;
  readonly target: string;
  readonly decisions: ReadonlyMap<string, string>;
  readonly #guards: readonly Guard[];
  readonly #fields = new Map<string, string[]>();

  /** `guards`: those that decide of it. */
  constructor(
    head: Head,
    connection: ConnectionFacts,
    decisions: ReadonlyMap<string, string>,
    guards: readonly Guard[],
  ) {
    this.connection = connection;
    this.decisions = decisions;
    this.#guards = guards;
    this.method = methodOf(head);
    this.target = head.bytes.toString('latin1', head.targetStart, head.targetEnd);
    for (let i = 0; i < head.count; i += 1) {
      const name = head.name(i).toLowerCase();
      const values = this.#fields.get(name);
      if (values === undefined) this.#fields.set(name, [head.value(i)]);
      else values.push(head.value(i));
    }
  }

  values(name: string): readonly string[] {
    return this.#fields.get(name) ?? none;
  }

  admittedBy(module: string): Visitor | null {
    if (this.decisions.get(module) !== 'allow') return null;
    const guard = this.#guards.find(({ name }) => name === module);
    return guard?.reads === 'request' ? (guard.visitorOf?.(this) ?? null) : null;
  }
}

export function methodOf(head: Head): string {
  return head.bytes.toString('latin1', head.start, head.methodEnd);
}
