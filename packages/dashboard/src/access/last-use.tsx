/** The last use of a key or credential: its time and its source address. */
import { dateTime } from '@underpass/ui/format.ts';
import type { Column } from '@underpass/ui/table.tsx';

interface Used {
  readonly last_used_at: string | null;
  readonly last_ip: string;
}

export const LAST_USE: readonly Column<Used>[] = [
  { name: 'Last used', width: '12.5em', cell: (row) => dateTime(row.last_used_at) || 'never' },
  { name: 'Last address', width: '10em', cell: (row) => row.last_ip || '—', isWide: true },
];
