/**
 * Resources as a table.
 *
 * Invariant: with a width no line is wider, unless the first column alone is.
 */
import { columnsOf } from '../screen/columns.ts';
import { ageText, isTime } from './age.ts';
import { cell, isEmpty } from './cell.ts';

type Row = Readonly<Record<string, unknown>>;

interface Column {
  readonly name: string;
  readonly title: string;
  readonly cells: readonly string[];
  /** Columns of a terminal. */
  readonly width: number;
}

const GAP = 2;
/** A column is made no narrower than this to save another one. */
const NARROWEST = 18;
const FIRST = ['id'];
const LAST = ['description', 'created_at'];
const NEVER = ['uri', 'metadata'];
const TITLES: Readonly<Record<string, string>> = { created_at: 'AGE' };
/** Columns that stay when there is no room for all, the most needed first. */
const NEEDED = [
  ...['id', 'name', 'domain', 'addr', 'hostports', 'public_url', 'match', 'labels', 'address'],
  ...['cidr', 'action', 'type', 'backend', 'created_at', 'description'],
];

/**
 * Resources as a table. Columns are the fields that fit on one line and are not empty in every row; times are ages at
 * `now`, in milliseconds since 1970. A terminal of `width` columns gets shorter values, and fewer columns if need be;
 * null shows everything.
 */
export function tableText(rows: readonly Row[], width: number | null, now: number): string {
  return tableLines(rows, width, now)
    .map((line) => `${line}\n`)
    .join('');
}

/** The lines of the table, the titles first; none for no rows. */
export function tableLines(rows: readonly Row[], width: number | null, now: number): readonly string[] {
  if (rows.length === 0) return [];
  const columns = columnsIn(rows, now);
  const shown = width === null ? columns : fitted(columns, width);
  const widths = shown.map((column) => column.width);
  const lines = [
    shown.map(({ title }) => title),
    ...rows.map((_, at) => shown.map(({ cells }) => cells[at] ?? '')),
  ];
  return lines.map((line) => aligned(line, widths));
}

function columnsIn(rows: readonly Row[], now: number): readonly Column[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => !NEVER.includes(name));
  const middle = names.filter((name) => !FIRST.includes(name) && !LAST.includes(name));
  const ordered = [...FIRST, ...middle, ...LAST].filter((name) => names.includes(name));
  return ordered.flatMap((name) => {
    const hasLines = rows.some((row) => typeof row[name] === 'string' && row[name].includes('\n'));
    const cells = rows.map(({ [name]: value }) => (isTime(value) ? ageText(value, now) : cell(value)));
    if (hasLines || cells.includes(null) || cells.every((it) => isEmpty(it ?? ''))) return [];
    return [column(name, cells as string[])];
  });
}

function column(name: string, cells: readonly string[]): Column {
  const title = TITLES[name] ?? name.toUpperCase();
  const width = cells.reduce((widest, text) => Math.max(widest, columnsOf(text)), title.length);
  return { name, title, cells, width };
}

function fitted(columns: readonly Column[], width: number): readonly Column[] {
  const kept = keptOf(columns, width);
  const widths = narrowed(kept, width);
  return kept.map((column, at) => {
    const most = widths[at] ?? column.width;
    return {
      ...column,
      title: cut(column.title, most),
      cells: column.cells.map((it) => cut(it, most)),
      width: most,
    };
  });
}

/** The most needed columns for which there is room, in the order of the table; at least one. */
function keptOf(columns: readonly Column[], width: number): readonly Column[] {
  const rank = ({ name }: Column) => (NEEDED.includes(name) ? NEEDED.indexOf(name) : NEEDED.length);
  let used = -GAP;
  const kept = new Set<Column>();
  for (const column of columns.toSorted((a, b) => rank(a) - rank(b))) {
    const needed = GAP + narrowest(column);
    if (kept.size > 0 && used + needed > width) continue;
    used += needed;
    kept.add(column);
  }
  return columns.filter((it) => kept.has(it));
}

/** Ids are for copying: they stay whole. */
function narrowest({ name, width }: Column): number {
  return FIRST.includes(name) ? width : Math.min(width, NARROWEST);
}

/** Widths that add up to the terminal's: the widest column gives first. */
function narrowed(columns: readonly Column[], width: number): readonly number[] {
  const widths = columns.map((it) => it.width);
  const least = columns.map(narrowest);
  let excess = widths.reduce((sum, it) => sum + GAP + it, -GAP) - width;
  while (excess > 0) {
    const spare = widths.map((it, at) => (it > (least[at] ?? 0) ? it : 0));
    const widest = spare.indexOf(Math.max(...spare));
    if ((spare[widest] ?? 0) === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess--;
  }
  return widths;
}

function aligned(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((text, at) => text + ' '.repeat(Math.max(0, (widths[at] ?? 0) - columnsOf(text))))
    .join(' '.repeat(GAP))
    .trimEnd();
}

/** Returns at most so many columns of a text, with … for the rest. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let used = 0;
  let kept = '';
  for (const character of text) {
    used += columnsOf(character);
    if (used > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
