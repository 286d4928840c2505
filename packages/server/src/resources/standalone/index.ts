/** Operations of the API that belong to no kind, in the order of the reference. */
import type { StandaloneOperation } from './definition.ts';
import { meGet } from './me.ts';

export const standaloneOperations: readonly StandaloneOperation[] = [meGet];
