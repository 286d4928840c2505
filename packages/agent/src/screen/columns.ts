/**
 * Width of text in columns of a terminal.
 * Invariant: cut or wrapped text is not wider than its limit.
 */

/** Characters that terminals draw two columns wide: East Asian wide and full-width ones, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** Characters that are drawn over the one before them, or not at all. */
const NARROWLESS = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
/** Marks the cut end of a line. */
const CUT = '>';

/** Text without control characters: see printable.ts. */
export function columnsOf(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += columnsOfOne(character);
  return columns;
}

function columnsOfOne(character: string): number {
  if (NARROWLESS.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Returns at most so many columns of the text. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  return columns < 1 ? '' : `${firstOf(text, columns - 1)}${CUT}`;
}

/** Returns lines of at most so many columns each, broken between words if possible. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  do {
    // A character that is wider than the line still makes progress.
    const most = firstOf(rest, columns) || ([...rest][0] ?? '');
    const line = wholeWords(most, rest);
    lines.push(line);
    rest = rest.slice(line.length);
    if (line !== most || rest.startsWith(' ')) rest = rest.trimStart();
  } while (rest !== '');
  return lines;
}

/** Returns the part of `fits` that cuts no word of the text, or all of it if one word is longer. */
function wholeWords(fits: string, text: string): string {
  if (fits.length === text.length || text[fits.length] === ' ') return fits;
  const end = fits.lastIndexOf(' ');
  return end < 0 ? fits : fits.slice(0, end).trimEnd() || fits;
}

function firstOf(text: string, columns: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += columnsOfOne(character);
    if (used > columns) break;
    end += character.length;
  }
  return text.slice(0, end);
}
