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

/** A date and a time in the user's format. `value`: RFC 3339; '' for anything else. */
export function dateTime(value: unknown): string {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) return '';
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

const HEX_MAX = 4_096;
const HEX_LINE = 16;

/** The beginning of bytes in hexadecimal and ASCII. */
export function hexOf(content: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(content.length, HEX_MAX); at += HEX_LINE) {
    const line = [...content.subarray(at, at + HEX_LINE)];
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = line
      .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.'))
      .join('');
    lines.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(3 * HEX_LINE)} ${ascii}`);
  }
  return lines.join('\n');
}
