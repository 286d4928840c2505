/** Targets of the palette for a text: pages, and resources by their ids. */
import { BASE, href } from '../router.ts';
import { ENTRIES, ROUTES } from '../routes.ts';

export interface Target {
  readonly to: string;
  readonly title: string;
  readonly about: string;
}

const TARGETS_MAX = 12;

export function targetsFor(text: string): readonly Target[] {
  const wanted = text.trim();
  return [...pages(wanted), ...ids(wanted)].slice(0, TARGETS_MAX);
}

function pages(text: string): readonly Target[] {
  const all = [...ENTRIES.map(([path, title]) => ({ path, title })), ...ROUTES];
  const fixed = new Map(
    all.filter(({ path }) => !path.includes('{')).map(({ path, title }) => [path, title]),
  );
  return [...fixed]
    .filter(([, title]) => title.toLowerCase().includes(text.toLowerCase()))
    .map(([path, title]) => ({ to: `${BASE}${path}`, title, about: 'page' }));
}

const ID = /^[a-z]+_[0-9A-Za-z]{27}$/;

export function isId(text: string): boolean {
  return ID.test(text);
}

function ids(text: string): readonly Target[] {
  return isId(text) ? [{ to: href(['id', text]), title: text, about: 'resource' }] : [];
}
