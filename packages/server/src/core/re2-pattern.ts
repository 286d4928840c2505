/**
 * Regular expressions of users, in the syntax of RE2 and matched in time linear in the text. Never that one runs on an engine that
 * goes back over what it has read, because that makes some texts take exponential time, or keeps more than a little of what it has found out.
 */
import { RE2Set } from 're2js';

export interface Pattern {
  /**
   * Steps of its automaton: each may be looked at for each character of a text. One for a class of characters counts for as many as it
   * costs to make and to look at.
   */
  readonly size: number;
}

/** What is wrong with a pattern, as the rest of a sentence. */
export interface PatternFault {
  readonly fault: string;
}

/**
 * For the states that texts have led to. Patterns and texts can be such that each character leads to a new one, which costs ten times what
 * it costs to do without them: they are given up when so many have not helped.
 */
const KEPT_BYTES = 256 * 1024;
/** Most classes of ASCII have fewer; those of Unicode have hundreds. */
const RANGES_OF_A_STEP = 16;

export function compilePattern(source: string): Pattern | PatternFault {
  try {
    return { size: sizeOf(setOf([source])) };
  } catch (error) {
    // The library says "error parsing regexp: missing closing ): `(`".
    const message = error instanceof Error ? error.message : String(error);
    return { fault: message.replace(/^error parsing regexp: /, '') };
  }
}

/** Whether one of them is found anywhere in a text. To be asked of patterns that have compiled. */
export function anyOf(sources: readonly string[]): (text: string) => boolean {
  if (sources.length === 0) return () => false;
  const set = setOf(sources);
  return (text) => set.match(text).length > 0;
}

/** One automaton for all of them. */
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
