/** Finds the prose of a Markdown page. Code blocks, tables and HTML tags are left out. */
import type { Text } from './text.ts';

const FENCE = /^\s*(```|~~~)/;
/** A heading, a list item or a quote. */
const OWN_BLOCK = /^\s*(#{1,6}\s|[-*+]\s|\d+[.)]\s|>)/;

/** Returns one text for each paragraph, heading and list item. */
export function textsOfMarkdown(source: string): readonly Text[] {
  const texts: Text[] = [];
  let block: { line: number; lines: string[] } | null = null;
  const finish = (): void => {
    if (block !== null) texts.push({ kind: 'page', line: block.line, lines: block.lines });
    block = null;
  };
  let inCode = false;
  for (const [index, line] of source.split('\n').entries()) {
    if (FENCE.test(line)) {
      inCode = !inCode;
      finish();
    } else if (inCode || line.trim() === '' || /^\s*\|/.test(line) || isIndentedCode(line, block !== null)) {
      finish();
    } else {
      if (OWN_BLOCK.test(line)) finish();
      block ??= { line: index + 1, lines: [] };
      block.lines.push(line.replace(OWN_BLOCK, '').replaceAll(/<\/?[a-z][^>]*>/gi, ''));
      if (/^#/.test(line)) finish();
    }
  }
  finish();
  return texts;
}

/** The part of a changelog that has no version yet. Later parts are history. */
export function unreleased(source: string): string {
  const start = source.indexOf('## Unreleased');
  if (start === -1) return '';
  const next = source.indexOf('\n## ', start + 1);
  // Lines before the part become empty ones, so that places stay right.
  return (
    source.slice(0, start).replaceAll(/[^\n]/g, '') + source.slice(start, next === -1 ? undefined : next)
  );
}

const isIndentedCode = (line: string, inBlock: boolean): boolean => !inBlock && /^ {4}\S/.test(line);
