/** Member names in JSON pointers (RFC 6901). */
import { cut } from '../errors/echo.ts';

/** A member name as a step of a JSON pointer (RFC 6901, section 3). */
export function pointerStep(name: string): string {
  return cut(name).replaceAll('~', '~0').replaceAll('/', '~1');
}
