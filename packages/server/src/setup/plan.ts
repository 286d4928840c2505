/**
 * The files of a setup: the config file, its secrets and the units.
 * Invariant: a file that already has its text is not written.
 */
import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '../system/files.ts';
import { readNamedFile } from '../system/named-file.ts';
import { diffLines } from './diff-lines.ts';
import { SetupError } from './setup-error.ts';
import { UNIT_FOLDER } from './units.ts';

export interface PlannedFile {
  readonly path: string;
  /** Null: no such file. */
  readonly text: string | null;
  /** Rights; null keeps those of a file that is there. */
  readonly mode: number | null;
}

export interface FileChange extends PlannedFile {
  /** Null: no such file. */
  readonly before: string | null;
}

const USUAL_MODE = 0o644;

/** Returns the files that are not yet as planned. Throws SetupError for one that cannot be read. */
export function changesOf(planned: readonly PlannedFile[]): readonly FileChange[] {
  return planned.flatMap((file) => {
    const before = textAt(file.path);
    const isSame = before === file.text && (before === null || hasMode(file));
    return isSame ? [] : [{ ...file, before }];
  });
}

function hasMode({ path, mode }: PlannedFile): boolean {
  return mode === null || (statSync(path).mode & 0o777) === mode;
}

/** Returns the text of a file; null without it. Throws SetupError. */
export function textAt(path: string): string | null {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null;
  try {
    return readNamedFile(path);
  } catch (error) {
    throw new SetupError(`${path} ${(error as Error).message}; run the setup as its owner, or give --config`);
  }
}

/** Returns lines for the operator. A password is not shown, and neither is a new unit, which is long. */
export function describeChange({ path, before, text }: FileChange): readonly string[] {
  if (before === null && path.startsWith(UNIT_FOLDER)) return [`${path}: written`];
  if (text === null) return [`${path}: removed`];
  const lines = diffLines(before ?? '', text ?? '').map((line) => `  ${withoutSecrets(line)}`);
  if (lines.length > 0) return [`${path}:`, ...lines];
  return [`${path}: other rights`];
}

function withoutSecrets(line: string): string {
  return line
    .replace(/:\/\/\S*@/, '://***@')
    .replace(/([?&]\w*password=)[^&\s"]*/gi, '$1***')
    .replace(/((?:hmac-key|HMAC_KEY)\W*[:=]\s*).*/, '$1***');
}

/** Rejects with SetupError. */
export async function writeChange({ path, text, mode }: FileChange): Promise<void> {
  try {
    if (text === null) return rmSync(path, { force: true });
    const isSystem = path.startsWith('/etc/');
    mkdirSync(dirname(path), { recursive: true, mode: isSystem ? 0o755 : 0o700 });
    const former = statSync(path, { throwIfNoEntry: false });
    const rights = mode ?? (former === undefined ? USUAL_MODE : former.mode & 0o777);
    await replaceFile(path, text, rights);
    // The mask of this process may have taken some of them.
    chmodSync(path, rights);
  } catch (error) {
    throw new SetupError(
      `${path} cannot be written: ${(error as Error).message}; run the setup as root, or give --config FILE`,
    );
  }
}
