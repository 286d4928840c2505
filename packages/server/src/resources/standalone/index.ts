/** Operations of the API that belong to no kind, in the order of the reference. */
import type { StandaloneOperation } from './definition.ts';

export const standaloneOperations: readonly StandaloneOperation[] = [];
