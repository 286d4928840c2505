/** Makes the files about a release: sums, and the list for programs. */
import { hash } from 'node:crypto';
import type { Made } from './plan.ts';
import type { ReleaseFacts } from './release-facts.ts';

/** The list `release.json`. */
export interface ReleaseList {
  readonly version: string;
  readonly commit: string | null;
  /** RFC 3339. */
  readonly time: string;
  readonly files: readonly ListedFile[];
}

export interface ListedFile {
  readonly file: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  readonly part: Made['part'];
  readonly program?: string;
  readonly platform?: string;
}

/** Lists the files that are made so far. */
export function releaseList(made: readonly Made[], { version, commit, time }: ReleaseFacts): ReleaseList {
  const files = inOrder(made).map(({ content, ...facts }) => ({
    ...{ ...facts, bytes: content.length, sha256: hash('sha256', content, 'hex') },
  }));
  return { version, commit, time: new Date(time * 1000).toISOString(), files };
}

/** Returns `release.json`, which lists all files but itself and the sums. */
export function listText(list: ReleaseList): string {
  return `${JSON.stringify(list, null, 2)}\n`;
}

/** Returns `SHA256SUMS`, as `sha256sum --check` reads it. */
export function sums(made: readonly Pick<Made, 'file' | 'content'>[]): string {
  return inOrder(made)
    .map(({ file, content }) => `${hash('sha256', content, 'hex')}  ${file}\n`)
    .join('');
}

function inOrder<One extends { readonly file: string }>(made: readonly One[]): readonly One[] {
  return made.toSorted((one, other) => (one.file < other.file ? -1 : 1));
}
