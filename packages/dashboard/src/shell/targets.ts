/** Targets of the palette for a text: pages, and resources by their ids. */
import { BASE, href } from '../router.ts';
import { ENTRIES } from '../routes.ts';

export interface Target {
  readonly to: string;
  readonly title: string;
  readonly about: string;
}

type Source = (text: string) => readonly Target[];

const sources: Source[] = [pages, ids];

/** Adds targets of a page, such as names. */
export function addTargets(source: Source): void {
  sources.push(source);
}

const TARGETS_MAX = 12;

export function targetsFor(text: string): readonly Target[] {
  const wanted = text.trim();
  return sources.flatMap((source) => source(wanted)).slice(0, TARGETS_MAX);
}

function pages(text: string): readonly Target[] {
  return ENTRIES.filter(([, title]) => title.toLowerCase().includes(text.toLowerCase())).map(
    ([path, title]) => ({
      to: `${BASE}${path}`,
      title,
      about: 'page',
    }),
  );
}

const ID = /^[a-z]+_[0-9A-Za-z]{27}$/;

function ids(text: string): readonly Target[] {
  return ID.test(text) ? [{ to: href(['id', text]), title: text, about: 'resource' }] : [];
}
