/** The topic of operations about visitors' requests. */
import type { Topic } from './definition.ts';

export const traffic: Topic = {
  name: 'traffic',
  summary: 'Traffic',
  description: 'Requests and connections of visitors: the last ones, and their figures over time.',
  group: 'Traffic and status',
};
