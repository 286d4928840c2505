/** A run of `npm run release`: its wishes, and its results. */
import type { Platform } from './platforms.ts';
import type { ReleaseFacts } from './release-facts.ts';

/** Kinds of files. Sums, licences and the list of parts belong to every release. */
export const PARTS = ['npm', 'executables', 'deb', 'rpm', 'image', 'chart'] as const;
export type Part = (typeof PARTS)[number];

export function isPart(name: string): name is Part {
  return PARTS.some((part) => part === name);
}

export interface Plan {
  /** The checkout. */
  readonly root: string;
  readonly out: string;
  /** An empty folder for files in between. */
  readonly folder: string;
  readonly facts: ReleaseFacts;
  readonly platforms: readonly Platform[];
  readonly parts: readonly Part[];
  /** Address of all releases, for install scripts; null: they are left out. */
  readonly releases: string | null;
}

/** A file of the release. */
export interface Made {
  readonly file: string;
  readonly content: Buffer;
  readonly part: Part | 'about';
  /** Absent for files of no program in particular. */
  readonly program?: string;
  /** Absent for files of all platforms. */
  readonly platform?: Platform['name'];
}

/** A file that cannot be built on this machine. */
export interface Missing {
  readonly file: string;
  readonly reason: string;
}
