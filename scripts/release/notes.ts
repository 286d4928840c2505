/**
 * Prints the section of a version in CHANGELOG.md, as notes of its release.
 * Usage: node scripts/release/notes.ts X.Y.Z
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the section without its heading. Throws if there is none, or if it is empty. */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => /^\[?([^\]\s]+)/.exec(section)?.[1] === version);
  if (found === undefined)
    throw new Error(`CHANGELOG.md has no section "## ${version}". Add it before the tag.`);
  const notes = found.slice(found.indexOf('\n')).trim();
  if (notes === '') throw new Error(`The section "## ${version}" of CHANGELOG.md is empty.`);
  return `${notes}\n`;
}

if (import.meta.main) {
  const [version = ''] = process.argv.slice(2);
  process.stdout.write(
    notesOf(readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8'), version),
  );
}
