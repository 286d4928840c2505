/** The names that the client and the command give to operations, in snake case. Pure. */

export interface Described {
  readonly id: string;
  readonly tag: string;
  readonly path: string;
}

export interface OperationName<Operation> {
  readonly operation: Operation;
  /** Plural for a kind: `tls_edges`. */
  readonly resource: string;
  /** `create`, `put_backend`, `stop`. */
  readonly verb: string;
  /** The resource is a list inside of another resource. */
  readonly isInner: boolean;
}

/** Names of operations that belong to no kind, with their tags. */
export type Topics = Readonly<Record<string, { readonly tag: string }>>;

/** The verbs at the end of an operation id. The part before them names the module. */
const TRAILING_VERB = /^(?:(.+)_)?(list|create|get|update|put|delete)$/;

/** Names the operations, tag by tag. Throws for an operation id that does not begin with the name of its resource. */
export function operationNames<Operation extends Described>(
  operations: readonly Operation[],
  topics: Topics,
): readonly OperationName<Operation>[] {
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  return [...byTag].flatMap(([tag, found]) => {
    const topic = Object.entries(topics).find(([, it]) => it.tag === tag)?.[0];
    const kind = topic ?? kindName(found);
    const suffix = ({ id }: Described) => id.slice(kind.length + 1);
    // A list inside a resource, with elements that have paths, is a resource of its own.
    const lists = found.map((it) => /^(.+)_list$/.exec(suffix(it))?.[1]).filter((name) => name !== undefined);
    return found.map((operation) => {
      const list = lists.find((name) => suffix(operation).startsWith(`${name}_`));
      if (list === undefined)
        return {
          operation,
          resource: topic ?? plural(kind),
          verb: verbOf(suffix(operation)),
          isInner: false,
        };
      const verb = verbOf(suffix(operation).slice(list.length + 1));
      return { operation, resource: `${kind}_${list}`, verb, isInner: true };
    });
  });
}

/** `backend_put` as `put_backend`. */
function verbOf(suffix: string): string {
  const [, part, last] = TRAILING_VERB.exec(suffix) ?? [];
  return part === undefined ? suffix : `${last}_${part}`;
}

/** Returns the common start of a tag's operations: the shortest path is the collection or the resource itself. */
function kindName(found: readonly Described[]): string {
  const [shortest] = found.toSorted((a, b) => a.path.length - b.path.length);
  const name = TRAILING_VERB.exec(shortest?.id ?? '')?.[1];
  const misnamed = found.find(({ id }) => name === undefined || !id.startsWith(`${name}_`));
  if (name === undefined || misnamed !== undefined)
    throw new Error(`the operation id ${misnamed?.id} does not begin with the name of its resource`);
  return name;
}

/** `ip_policy` as `ip_policies`: the English rule, which is all that the names of resources need. */
export function plural(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}
