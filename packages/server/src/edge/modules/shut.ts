/** The parts of a module that cannot take effect, and so admits no visitor. */
import type { ExplainedGuard } from '../sites/site.ts';
import type { RouteParts } from './module.ts';

/** `why`: the reason in a sentence. */
export function shutParts(name: string, why: string): RouteParts {
  const guard: ExplainedGuard = {
    name,
    reads: 'connection',
    check: () => 'moduleWithoutEffect',
    preview: () => ({ verdict: 'moduleWithoutEffect', why }),
  };
  return { guards: [guard] };
}
