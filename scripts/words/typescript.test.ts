import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textsOfTypeScript } from './typescript.ts';

const found = (source: string, withMessages = false): readonly string[] =>
  textsOfTypeScript(source, withMessages).map(
    ({ kind, line, lines }) => `${kind} ${line}: ${lines.join(' ').trim()}`,
  );

test('comments are found with their kind and their line', () => {
  const source = `#!/usr/bin/env node
/**
 * Reads requests.
 */
import { a } from 'b';

/** Bytes. */
const size = 1; // One
// Two lines
// of a comment.
const rest = 2; // Three
// Four
`;
  assert.deepEqual(found(source), [
    'header 2: Reads requests.',
    'doc 7: Bytes.',
    'comment 8: One',
    'comment 9: Two lines of a comment.',
    'comment 11: Three',
    'comment 12: Four',
  ]);
});

test('line comments at the head of a file are its header', () => {
  assert.deepEqual(found('// biome-ignore lint/x: y\n// Of streams.\n// Two.\ncode();\n'), [
    'header 2: Of streams. Two.',
  ]);
  assert.deepEqual(found('code();\n// Of streams.\n'), ['comment 2: Of streams.']);
});

test('marks of comments inside strings, templates and regular expressions are none', () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the inner file has templates.
  const inside = [
    "const a = 'https://example.com /* no */';",
    'const b = `// no ${call({ c: `/* no */` })} // no`;',
    'const d = /[/*]"/.test(x) ? 4 / 2 / 1 : 0;',
    'const e = list[0] / 2; // yes',
  ].join('\n');
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the end of the inner file.
  assert.deepEqual(found(inside), ['comment 4: yes']);
});

test('strings are messages if they are prose, and templates in parts', () => {
  const source = [
    "fail('The value is too long. Shorten it.');",
    "header('content-length');",
    "run('SELECT the one row FROM the table');",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the inner file has a template.
    'fail(`The value ${value} is too long for it.`);',
  ].join('\n');
  assert.deepEqual(found(source, true), [
    'message 1: The value is too long. Shorten it.',
    'message 4: is too long for it.',
  ]);
  assert.deepEqual(found(source), []);
});
