/** Texts that people read, found in sources and pages, with their places. */

/** `header`: the first comment of a file. `doc`: another comment in the form of a doc comment. */
export type TextKind = 'header' | 'doc' | 'comment' | 'message' | 'page';

export interface Text {
  readonly kind: TextKind;
  /** Number of the first line, from 1. */
  readonly line: number;
  /** The words, without the marks of comments and strings. */
  readonly lines: readonly string[];
}

/** Strips the marks of a comment. `lines` keeps its length, so that places stay right. */
export function commentLines(raw: string): readonly string[] {
  if (raw.startsWith('//')) return raw.split('\n').map((line) => line.replace(/^\s*\/\/+ ?/, ''));
  return raw
    .replace(/^\/\*+/, '')
    .replace(/\*+\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''));
}

/** True for comments that a tool reads. */
export function isDirective(raw: string): boolean {
  return /^(\/\/|\/\*+|#)\s*(biome-ignore|@ts-|eslint|#__|shellcheck|syntax=|!)/.test(raw);
}
