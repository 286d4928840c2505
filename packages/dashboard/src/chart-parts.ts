/** The values and options of a chart. */

export interface Series {
  readonly name: string;
  /** One value for each time; null for a gap. */
  readonly values: readonly (number | null)[];
  /** Name of a colour of base.css, such as `good` or `bad`; absent: the accent. */
  readonly colour?: 'accent' | 'good' | 'warn' | 'bad';
}

export interface ChartParts {
  /** Name for screen readers. */
  readonly label: string;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** Pixels. */
  readonly height?: number;
  /** Text of a value on the axis. */
  readonly format?: (value: number) => string;
  /** Called with the seconds of a range that the user selected. */
  readonly select?: (from: number, to: number) => void;
}
