/** The contract of a page: a module with a component as its default export. */
import type { ComponentType } from 'preact';
import type { Params } from './match.ts';

export interface PageProps {
  /** Parameters of the path, decoded. */
  readonly params: Params;
  /** The title of the route. */
  readonly title: string;
}

export type Page = ComponentType<PageProps>;
