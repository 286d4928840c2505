/**
 * Regular expressions of users, in the syntax of RE2, matched in time linear in the text.
 * Invariant: no backtracking engine runs, because some texts would take exponential time.
 * Invariant: each pattern caches a bounded number of states.
 */
import { RE2Set } from 're2js';

export interface Pattern {
  /**
   * Steps of its automaton. Each may be visited for each character of a text. A step for a class of characters counts
   * by its cost.
   */
  readonly size: number;
}

/** The fault of a pattern, as the rest of a sentence. */
export interface PatternFault {
  readonly fault: string;
}

/**
 * Bytes of cached states. Some patterns and texts reach a new state at each character, and caching then costs ten times
 * a match without it. The cache is abandoned if this much did not help.
 */
const KEPT_BYTES = 256 * 1024;
/** Ranges of a class that count as one step. Most classes of ASCII have fewer; those of Unicode have hundreds. */
const RANGES_OF_A_STEP = 16;

export function compilePattern(source: string): Pattern | PatternFault {
  try {
    return { size: sizeOf(setOf([source])) };
  } catch (error) {
    // The library's message has the form "error parsing regexp: missing closing ): `(`".
    const message = error instanceof Error ? error.message : String(error);
    return { fault: message.replace(/^error parsing regexp: /, '') };
  }
}

/** Returns a function that finds any of the patterns anywhere in a text. The patterns must have compiled. */
export function anyOf(sources: readonly string[]): (text: string) => boolean {
  if (sources.length === 0) return () => false;
  const set = setOf(sources);
  return (text) => set.match(text).length > 0;
}

/** Compiles one automaton for all patterns. */
function setOf(sources: readonly string[]): RE2Set {
  const set = new RE2Set(RE2Set.UNANCHORED, 0, KEPT_BYTES);
  for (const source of sources) set.add(source);
  set.compile();
  return set;
}

function sizeOf({ prog }: RE2Set): number {
  const steps: readonly { readonly runes?: readonly number[] }[] = prog.inst;
  const extra = steps.map(({ runes = [] }) => Math.floor(runes.length / (2 * RANGES_OF_A_STEP)));
  return extra.reduce((sum, one) => sum + one, steps.length);
}
