/** Resources as a table that fits the terminal. Never wider than the terminal, and never without the first column. */
import { cell, isEmpty } from './cell.ts';

type Row = Readonly<Record<string, unknown>>;

interface Column {
  readonly name: string;
  readonly cells: readonly string[];
}

const CUT_AT = 40;
const GAP = 2;
const FIRST = ['id'];
const LAST = ['description', 'created_at'];
const NEVER = ['uri', 'metadata'];

/**
 * Resources as a table. Columns are the fields that fit on one line and are not empty in every row. For a terminal of
 * `width` columns long values are cut, and what does not fit beside the others is left out; null shows everything.
 */
export function tableText(rows: readonly Row[], width: number | null): string {
  const columns = columnsOf(rows).map((column) => (width === null ? column : cut(column)));
  const shown = width === null ? columns : fitting(columns, width);
  const lines = [
    shown.map(({ name }) => name.toUpperCase()),
    ...rows.map((_, at) => shown.map(({ cells }) => cells[at] ?? '')),
  ];
  const widths = shown.map(widthOf);
  return rows.length === 0 ? '' : lines.map((line) => `${aligned(line, widths)}\n`).join('');
}

function columnsOf(rows: readonly Row[]): readonly Column[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => !NEVER.includes(name));
  const middle = names.filter((name) => !FIRST.includes(name) && !LAST.includes(name));
  const ordered = [...FIRST, ...middle, ...LAST].filter((name) => names.includes(name));
  return ordered.flatMap((name) => {
    const hasLines = rows.some((row) => typeof row[name] === 'string' && row[name].includes('\n'));
    const cells = rows.map((row) => cell(row[name]));
    if (hasLines || cells.includes(null) || cells.every((it) => isEmpty(it ?? ''))) return [];
    return [{ name, cells: cells as string[] }];
  });
}

function cut({ name, cells }: Column): Column {
  const shorten = (text: string) =>
    lengthOf(text) > CUT_AT ? `${[...text].slice(0, CUT_AT - 1).join('')}…` : text;
  return { name, cells: cells.map(shorten) };
}

/** From the left, as many as the terminal has room for; at least one. */
function fitting(columns: readonly Column[], width: number): readonly Column[] {
  let used = 0;
  const shown = columns.filter((column) => {
    const needed = widthOf(column) + (used === 0 ? 0 : GAP);
    if (used !== 0 && used + needed > width) return false;
    used += needed;
    return true;
  });
  return shown;
}

function widthOf({ name, cells }: Column): number {
  return cells.reduce((widest, text) => Math.max(widest, lengthOf(text)), name.length);
}

function aligned(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((text, at) => text + ' '.repeat(Math.max(0, (widths[at] ?? 0) - lengthOf(text))))
    .join(' '.repeat(GAP))
    .trimEnd();
}

/** In characters as people count them, nearly: not in UTF-16 units. */
function lengthOf(text: string): number {
  return [...text].length;
}
