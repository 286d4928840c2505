/** Computes the rows of a long list that are drawn. Rows have one height. */

export interface View {
  /** Pixels that are scrolled away. */
  readonly top: number;
  /** Pixels in sight. */
  readonly height: number;
}

export interface Range {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Rows beyond each end of the view, so that scrolling shows no gap. */
const MARGIN = 8;

/** `rowHeight`: pixels. */
export function rangeOf(count: number, rowHeight: number, { top, height }: View): Range {
  const from = Math.max(0, Math.floor(top / rowHeight) - MARGIN);
  const to = Math.min(count, Math.ceil((top + height) / rowHeight) + MARGIN);
  return { from: Math.min(from, Math.max(0, to)), to };
}

/** The scroll position at which a row is in sight, as close to the present one as possible. */
export function topFor(index: number, rowHeight: number, { top, height }: View): number {
  const start = index * rowHeight;
  if (start < top) return start;
  return start + rowHeight > top + height ? start + rowHeight - height : top;
}
