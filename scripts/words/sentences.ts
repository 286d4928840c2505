/** Splits texts into sentences and counts their words. */
import type { Text } from './text.ts';

export interface Sentence {
  /** Number of the line on which it begins, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Words after whose full stop the sentence goes on. */
const ABBREVIATION = /(^|[\s(])(e\.g|i\.e|etc|vs|cf|approx|no|incl)\.$/i;
const END = /[.!?]["')\]*_`]*$/;
const ITEM = /^\s*([-*+]|\d+[.)])\s/;

/** Empty lines, list items and tags of doc comments end a sentence, too. */
export function sentencesOf(text: Text): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let words: string[] = [];
  let line = text.line;
  const finish = (): void => {
    if (words.length > 0) sentences.push({ line, text: words.join(' ') });
    words = [];
  };
  for (const [index, content] of withoutCode(text.lines).entries()) {
    if (content.trim() === '' || ITEM.test(content) || /^\s*@[a-z]/.test(content)) finish();
    for (const word of content.split(/\s+/).filter((part) => part !== '')) {
      if (words.length === 0) line = text.line + index;
      words.push(word);
      if (END.test(word) && !ABBREVIATION.test(word)) finish();
    }
  }
  finish();
  return sentences;
}

/** Counts what a reader reads as a word. Code in backquotes is one word, and so is a link's address. */
export function wordCount(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Joins the words of code in backquotes, also over the end of a line, and removes addresses of links. */
function withoutCode(lines: readonly string[]): readonly string[] {
  return lines
    .join('\n')
    .replaceAll(/\]\([^)\s]*\)/g, ']')
    .replaceAll(/`[^`]*`/g, (code) => code.replaceAll(/[^\S\n]+/g, '·'))
    .split('\n');
}
