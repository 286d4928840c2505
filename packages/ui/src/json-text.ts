/**
 * Formats JSON for people, one value a line.
 * Invariant: numbers, texts and names keep their exact spelling. Programs round long numbers, and drop one of two
 * equal names.
 */

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s[\]{},:"]+/g;
const INDENT = '  ';
/** A small text that is nested deeply would become a huge one. */
const LENGTH_MAX = 4_000_000;

/** Null: it is no JSON, or is better read as it is. */
export function indentedJson(text: string): string | null {
  if (!isJson(text)) return null;
  const pieces: string[] = [];
  let length = 0;
  let depth = 0;
  let previous = '';
  for (const [token] of text.matchAll(TOKENS)) {
    const isEnd = token === '}' || token === ']';
    const isFirst = previous === '{' || previous === '[';
    if (isEnd) depth--;
    const isOnNewLine = isFirst ? !isEnd : isEnd || previous === ',';
    const piece = `${isOnNewLine ? `\n${INDENT.repeat(depth)}` : ''}${token === ':' ? ': ' : token}`;
    length += piece.length;
    if (length > LENGTH_MAX) return null;
    pieces.push(piece);
    if (token === '{' || token === '[') depth++;
    previous = token;
  }
  return pieces.join('');
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
