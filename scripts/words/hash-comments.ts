/** Finds `#` comments of shell scripts, YAML, Dockerfiles and service units, and descriptions in YAML and JSON. */
import { isDirective, type Text } from './text.ts';

const DESCRIPTION = /^\s*"?(?:description|summary)"?:\s*["']?([^>|].*?)["']?,?$/i;

/** A file's first comment before anything else is its header. */
export function textsOfHashComments(source: string): readonly Text[] {
  const texts: Text[] = [];
  let block: { line: number; lines: string[] } | null = null;
  let hasCode = false;
  const finish = (): void => {
    if (block === null) return;
    const isHeader = !hasCode && texts.length === 0;
    texts.push({ kind: isHeader ? 'header' : 'comment', ...block });
    block = null;
  };
  for (const [index, line] of source.split('\n').entries()) {
    const comment = /^\s*#+ ?(.*)$/.exec(line);
    if (comment !== null) {
      if (isDirective(line.trim())) continue;
      block ??= { line: index + 1, lines: [] };
      block.lines.push(comment[1] ?? '');
      continue;
    }
    finish();
    hasCode ||= line.trim() !== '';
    const text = DESCRIPTION.exec(line)?.[1] ?? / # (.*)$/.exec(line)?.[1];
    if (text === undefined) continue;
    const kind = DESCRIPTION.test(line) ? 'message' : 'comment';
    texts.push({ kind, line: index + 1, lines: [text] });
  }
  finish();
  return texts;
}
