/** Places that break a rule of plain words for a reason. */
import type { Exception } from './count.ts';

export const EXCEPTIONS: readonly Exception[] = [];
