/** Numbers as people read them. */

export function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  return size < 1_000_000 ? `${(size / 1_000).toFixed(1)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}

/** Null: it goes on. */
export function duration(ms: number | null): string {
  if (ms === null) return '…';
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

export function time(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}
