/** Files of archives. Owner and group are root, and the time is one for all, so that two runs write the same bytes. */

export type Entry =
  | { readonly kind: 'file'; readonly path: string; readonly mode: number; readonly content: Buffer }
  | { readonly kind: 'folder'; readonly path: string; readonly mode: number }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

export function fileEntry(path: string, content: Buffer | string, mode = 0o644): Entry {
  return { kind: 'file', path, mode, content: Buffer.from(content) };
}

/** Returns the entries by path. A folder comes before its files. Throws if two have one path. */
export function sortedEntries<One extends Entry>(entries: readonly One[]): readonly One[] {
  const sorted = entries.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const twice = sorted.find(({ path }, index) => sorted[index - 1]?.path === path);
  if (twice !== undefined) throw new Error(`${twice.path} is twice in an archive`);
  return sorted;
}
