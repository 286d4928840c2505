/** Counts the file descriptors that the process may open, and has open. */
import { readdirSync, readFileSync } from 'node:fs';

/** Returns the limit in force. Node raises the soft limit to the hard limit. */
export function descriptorLimit(): number {
  const limits = readIfThere('/proc/self/limits');
  const found = /^Max open files +(\d+)/m.exec(limits ?? '');
  if (found !== null) return Number(found[1]);
  if (limits !== null) return Number.POSITIVE_INFINITY;
  return reportedLimit();
}

export function descriptorsInUse(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 64;
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Returns the soft limit from a report of Node, for systems without /proc. Infinity means no limit. */
function reportedLimit(): number {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = Number(report.userLimits?.open_files?.soft);
  return Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft;
}
