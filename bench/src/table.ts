/** Results as a table for people: rows of text, right-aligned but for the first column. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('   ')
      .trimEnd();
  return [line(header), widths.map((width) => '-'.repeat(width)).join('   '), ...rows.map(line)].join('\n');
}

export function ratio(value: number, base: number): string {
  return base === 0 ? '-' : (value / base).toFixed(2);
}

export interface Spread {
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

export function spreadOf(results: readonly number[]): Spread {
  return { least: Math.min(...results), median: median(results), most: Math.max(...results) };
}

/** `1.24 (1.19-1.31)` */
export function spreadText({ least, median: middle, most }: Spread): string {
  return `${middle.toFixed(2)} (${least.toFixed(2)}-${most.toFixed(2)})`;
}

/** The middle of an odd number of results. */
export function median(results: readonly number[]): number {
  return [...results].sort((a, b) => a - b)[Math.floor(results.length / 2)] ?? 0;
}

/** Returns the smallest result that is at least as large as `share` of all results. */
export function percentile(results: readonly number[], share: number): number {
  const sorted = [...results].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * share) / 100) - 1)] ?? 0;
}
