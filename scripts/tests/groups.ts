/**
 * Groups test files that share a process. A process and its imports cost more than most unit tests, so tests of a
 * group run one after the other in one process.
 * Invariant: a test that waits long, or that changes its process, has a process of its own.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

interface GroupKind {
  /** Beginnings of the files' paths. Files of an earlier kind are excluded. */
  readonly folders: readonly string[];
  /** Text that the files contain; any text if absent. */
  readonly text?: string;
  /** So many groups that the last one to end is not waited for by all processors. */
  readonly most: number;
  /** The fewest files that are worth a process of their own. */
  readonly leastFiles: number;
}

const KINDS: readonly GroupKind[] = [
  // They wait for disks and servers, while others use the processors.
  { folders: ['packages/server/src/store/'], most: 5, leastFiles: 4 },
  { folders: ['packages/', 'scripts/'], most: 8, leastFiles: 8 },
  // One daemon serves them all.
  { folders: ['test/'], text: 'Platform.shared(', most: 4, leastFiles: 3 },
  // Loading them and their checks of responses takes as long as a few of their tests.
  { folders: ['test/'], most: 12, leastFiles: 3 },
];
/** Parts of paths. */
const ALONE = [
  // They wait for disks and servers, too.
  'resources/engine/',
  // They start commands, and wait for them.
  'agent/src/cli',
  'sqlite/durability',
  'pki/uploaded-certificate',
  // It goes through all objects of its process many times.
  'wire/src/released',
  '.slow.test.ts',
];
/** A line that awaits at the top level. A false match only costs a process. */
const WAITS_AT_LOADING = /^(?=\S).*\bawait\b/m;

export class Groups {
  /** Input of the runner: groups first, since they take longest, then files that run alone. */
  readonly entries: readonly string[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'underpass-tests-'));

  constructor(files: readonly string[]) {
    const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
    const grouped = files.filter((file) => mayBeGrouped(file, sources.get(file) ?? ''));
    const groups = KINDS.flatMap((kind) => {
      const ofKind = grouped.filter((file) => kindOf(file, sources.get(file) ?? '') === kind);
      return groupsOf(ofKind, kind);
    });
    const entries = groups.map((group, index) => this.#write(group, index));
    this.entries = [...entries, ...files.filter((file) => !grouped.includes(file))];
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #write(group: readonly string[], index: number): string {
    const entry = join(this.#folder, `group-${index + 1}.test.ts`);
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
  return kindOf(file, source) !== undefined && !WAITS_AT_LOADING.test(source);
}

function kindOf(file: string, source: string): GroupKind | undefined {
  return KINDS.find(
    ({ folders, text = '' }) => folders.some((folder) => file.startsWith(folder)) && source.includes(text),
  );
}

/** Groups neighbouring files, which import the same sources. Returns no groups if all fit into one. */
export function groupsOf(
  files: readonly string[],
  { most, leastFiles }: Pick<GroupKind, 'most' | 'leastFiles'>,
): readonly (readonly string[])[] {
  const count = Math.min(most, Math.ceil(files.length / leastFiles));
  const size = Math.ceil(files.length / count);
  return Array.from({ length: count }, (_, index) => files.slice(index * size, (index + 1) * size)).filter(
    (group) => group.length > 0,
  );
}
