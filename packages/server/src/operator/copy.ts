/** `underpassd copy`: what an operator sees of a copy. */
import { type Copied, CopyError, copy, type Progress } from '../store/copy/copy.ts';
import { type Database, nameOf } from '../store/databases/database.ts';
import { openSource, openTarget } from '../store/databases/open-copy.ts';

/** Milliseconds between reports of a long step. */
const REPORT_MS = 2_000;

/** Returns the text of the report. Rejects with CopyError or StoreOpenError; the target is then as empty as before. */
export async function copyDatabase(from: Database, to: Database): Promise<string> {
  if (nameOf(from) === nameOf(to))
    throw new CopyError(`--from and --to are the same database, ${nameOf(to)}: name another one with --to`);
  const source = await openSource(from);
  try {
    const target = await openTarget(to, '--to');
    try {
      return render(await copy(source, target, reporting()), from, to);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Reports each step on stderr, and the progress of long ones. */
export function reporting(): Progress {
  let last = 0;
  let current: string | null = null;
  return (step, table, rows) => {
    const now = performance.now();
    if (step !== current) console.error(step === 'copied' ? 'copying' : 'comparing');
    else if (now - last >= REPORT_MS) console.error(`${step} ${rows} ${words(table)} so far`);
    else return;
    current = step;
    last = now;
  };
}

const words = (table: string) => table.replaceAll('_', ' ');

function render({ counts, digest }: Copied, from: Database, to: Database): string {
  const parts = [...counts].filter(([table, rows]) => table !== 'state' && rows > 0);
  const all = parts.map(([table, rows]) => `${rows} ${words(table)}`).join(', ');
  return [
    `copied ${all || 'nothing'} from ${nameOf(from)} to ${nameOf(to)}`,
    `compared: SHA-256 ${digest} on both sides`,
    'the master key is not in a database: take master.key along to the new data dir',
  ].join('\n');
}
