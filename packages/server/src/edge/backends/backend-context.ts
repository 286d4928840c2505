/** The parts that backends use beside their documents. */
import type { OnlineTunnels } from '../../online/online.ts';
import type { ExplainedBackend } from '../sites/site.ts';
import type { Dialler } from './dialler.ts';

export interface BackendContext {
  readonly online: Pick<OnlineTunnels, 'matching'>;
  readonly dialler: Pick<Dialler, 'dial' | 'refusalOf'>;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
  /** The compiled backend of an id, for those that have others below them; recorded. */
  readonly child: (id: string) => ExplainedBackend;
}
