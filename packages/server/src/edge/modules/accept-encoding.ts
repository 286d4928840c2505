/**
 * Chooses a content coding by Accept-Encoding (RFC 9110, section 12.5.3).
 * Invariant: a coding that the visitor refused, or did not name, is never chosen.
 */

/** `deflate` is the zlib format (RFC 9110, section 8.4.1.2). */
export type Coding = 'br' | 'gzip' | 'deflate';

/** The order of preference at equal weights: the coding that most clients can decode comes first. */
const codings: readonly Coding[] = ['gzip', 'deflate', 'br'];
const WEIGHT = /^q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/i;

/** The coding that the visitor likes best; null: the body as it is. `values` are those of all lines of the field. */
export function preferredCoding(values: readonly string[]): Coding | null {
  const weights = weightsOf(values);
  const others = weights.get('*') ?? 0;
  let best: Coding | null = null;
  // The uncoded form is always possible. It wins only if the visitor prefers it.
  let most = weights.get('identity') ?? 0;
  for (const coding of codings) {
    const weight = weights.get(coding) ?? others;
    if (weight === 0 || weight < most || (best !== null && weight === most)) continue;
    best = coding;
    most = weight;
  }
  return best;
}

/** The first weight of each coding, in lower case. One that cannot be read counts as refused. */
function weightsOf(values: readonly string[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const element of values.join(',').split(',')) {
    const [name = '', ...parameters] = element.split(';');
    const coding = canonical(name.trim().toLowerCase());
    if (!weights.has(coding)) weights.set(coding, weightOf(parameters));
  }
  return weights;
}

/** RFC 9110, section 8.4.1.3. */
function canonical(name: string): string {
  return name === 'x-gzip' ? 'gzip' : name;
}

function weightOf(parameters: readonly string[]): number {
  if (parameters.length === 0) return 1;
  const match = parameters.length === 1 ? WEIGHT.exec(parameters[0]!.trim()) : null;
  return match === null ? 0 : Number(match[1]);
}
