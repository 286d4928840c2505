/** Tests command lines of Windows by the rules of `CommandLineToArgvW`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { windowsCommandLine } from './windows-command-line.ts';

/** Splits arguments as `CommandLineToArgvW` does (without the program's own word). */
function split(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let isQuoted = false;
  for (let index = 0; index < line.length; index++) {
    const [slashes = ''] = /^\\*/.exec(line.slice(index)) ?? [];
    const next = line[index + slashes.length];
    if (slashes !== '') {
      word = (word ?? '') + '\\'.repeat(next === '"' ? Math.floor(slashes.length / 2) : slashes.length);
      index += slashes.length - 1;
      if (next === '"' && slashes.length % 2 === 1) {
        word += '"';
        index++;
      }
    } else if (next === '"') {
      word ??= '';
      isQuoted = !isQuoted;
    } else if (!isQuoted && /[ \t]/.test(next ?? '')) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + next;
  }
  return word === null ? words : [...words, word];
}

test('spaces, quotes and backslashes are written as Windows splits them', () => {
  const cases = [
    [['plain', 'C:\\a\\b'], 'plain C:\\a\\b'],
    [['C:\\Program Files\\x'], '"C:\\Program Files\\x"'],
    [['C:\\a b\\'], '"C:\\a b\\\\"'],
    [['C:\\a\\'], 'C:\\a\\'],
    [['say "hi"'], '"say \\"hi\\""'],
    [['a\\"b'], '"a\\\\\\"b"'],
    [['', 'x'], '"" x'],
  ] as const;
  for (const [words, line] of cases) assert.equal(windowsCommandLine(words), line);
});

test('each word arrives as it was given', () => {
  const word = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', '\t', '&', '%') });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), (words) => {
      assert.deepEqual(split(windowsCommandLine(words)), words);
    }),
  );
});
