/** Places that break a rule of plain words for a reason. */
import type { Exception } from './count.ts';

export const EXCEPTIONS: readonly Exception[] = [
  {
    rule: 'long-sentence',
    file: 'bench/src/driver.ts',
    text: 'local n = 0',
    reason: 'A Lua script is no sentence.',
  },
  {
    rule: 'long-sentence',
    file: 'packages/agent/src/api/command.ts',
    text: 'underpass api reserved-domains list --watch',
    reason: 'Lines of examples in a help text are no sentence.',
  },
  {
    rule: 'long-sentence',
    file: 'packages/agent/src/cli.ts',
    text: 'underpass http 3000 --domain NAME',
    reason: 'Lines of examples in a help text are no sentence.',
  },
  {
    rule: 'long-sentence',
    file: 'packages/agent/src/completion/scripts.ts',
    text: '_underpass() {',
    reason: 'A shell script is no sentence.',
  },
  {
    rule: 'long-sentence',
    file: 'packages/agent/src/folder/index-page.ts',
    text: ':root { color-scheme',
    reason: 'A style sheet is no sentence.',
  },
];
