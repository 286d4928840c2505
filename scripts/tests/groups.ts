/**
 * Which test files share a process. A process and the sources that it loads cost more than most unit tests, so these run in a few processes, one
 * after the other. Never that a test is in a group whose time is not its own: what waits much, or changes its process, has one for itself.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const GROUPED = ['packages/', 'scripts/'];
/** Parts of paths. */
const ALONE = [
  // They wait for disks and servers.
  'server/src/store/',
  'resources/engine/',
  // They start commands, and wait for them.
  'agent/src/cli',
  'pki/uploaded-certificate',
];
/** A line that waits before the file has told of all its tests. One that only looks so costs a process. */
const WAITS_AT_LOADING = /^(?=\S).*\bawait\b/m;
/** So many that the last one to end is not waited for by all processors. */
const MOST_GROUPS = 8;
/** For fewer files a process of their own is not worth its start. */
const LEAST_FILES = 8;

export class Groups {
  /** What the runner is given: groups first, since they take longest, then the files that are alone. */
  readonly entries: readonly string[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'underpass-tests-'));

  constructor(files: readonly string[]) {
    const grouped = files.filter((file) => mayBeGrouped(file, readFileSync(file, 'utf8')));
    const groups = groupsOf(grouped).map((group, index) => this.#write(group, index));
    this.entries = [...groups, ...files.filter((file) => !grouped.includes(file))];
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #write(group: readonly string[], index: number): string {
    const entry = join(this.#folder, `unit-${index + 1}.test.ts`);
    const paths = group.map((file) => resolve(file));
    const module = import.meta.resolve('./together.ts');
    writeFileSync(
      entry,
      `import { together } from ${JSON.stringify(module)};\ntogether(${JSON.stringify(paths)});\n`,
    );
    return entry;
  }
}

export function mayBeGrouped(file: string, source: string): boolean {
  if (ALONE.some((part) => file.includes(part))) return false;
  return GROUPED.some((folder) => file.startsWith(folder)) && !WAITS_AT_LOADING.test(source);
}

/** Of neighbours, which load the same sources; none where all have room in one. */
export function groupsOf(files: readonly string[]): readonly (readonly string[])[] {
  const count = Math.min(MOST_GROUPS, Math.ceil(files.length / LEAST_FILES));
  const size = Math.ceil(files.length / count);
  return Array.from({ length: count }, (_, index) => files.slice(index * size, (index + 1) * size)).filter(
    (group) => group.length > 0,
  );
}
