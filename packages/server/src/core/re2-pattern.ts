/**
 * Regular expressions of users, in the syntax of RE2 and matched in time linear in the text. Never that one runs on an engine that
 * goes back over what it has read, because that makes some texts take exponential time.
 */
import { RE2JS } from 're2js';

export interface Pattern {
  /** Steps of its automaton: each may be looked at for each character of a text. */
  readonly size: number;
  /** Whether it is found anywhere in the text. */
  isIn(text: string): boolean;
}

/** What is wrong with a pattern, as the rest of a sentence. */
export interface PatternFault {
  readonly fault: string;
}

export function compilePattern(source: string): Pattern | PatternFault {
  try {
    const compiled = RE2JS.compile(source);
    return { size: compiled.programSize(), isIn: (text) => compiled.test(text) };
  } catch (error) {
    // The library says "error parsing regexp: missing closing ): `(`".
    const message = error instanceof Error ? error.message : String(error);
    return { fault: message.replace(/^error parsing regexp: /, '') };
  }
}
