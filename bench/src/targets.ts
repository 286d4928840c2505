/** Prints measurements beside their targets. A target is never asserted: the machine may be busy. */
import { table } from './table.ts';

export interface Finding {
  readonly what: string;
  readonly measured: number;
  readonly atMost: number;
  /** Absent: a ratio. */
  readonly unit?: string;
}

export function printFindings(findings: readonly Finding[]): void {
  if (findings.length === 0) return;
  const rows = findings.map(({ what, measured, atMost, unit = '' }) => [
    what,
    `${atMost.toFixed(2)} ${unit}`.trim(),
    `${measured.toFixed(2)} ${unit}`.trim(),
    measured <= atMost ? '' : 'missed',
  ]);
  console.log(table(['Targets', 'at most', 'measured', ''], rows));
  console.log();
}

export interface RatioFindings {
  readonly what: (name: string) => string;
  readonly ratio: (name: string) => number;
  readonly atMost: number;
}

/** None where the peer that they are ratios to is missing. */
export function ratioFindings(
  base: number,
  names: readonly string[],
  { what, ratio, atMost }: RatioFindings,
): readonly Finding[] {
  return base < 0 ? [] : names.map((name) => ({ what: what(name), measured: ratio(name), atMost }));
}
