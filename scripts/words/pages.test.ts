import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textsOfHashComments } from './hash-comments.ts';
import { textsOfMarkdown, unreleased } from './markdown.ts';
import type { Text } from './text.ts';

const shown = (texts: readonly Text[]): readonly string[] =>
  texts.map(({ kind, line, lines }) => `${kind} ${line}: ${lines.join('|').trim()}`);

test('a page has paragraphs, headings and list items, without code and tables', () => {
  const page = `# Title
One line,
and its end.

| a | table |
|---|---|

\`\`\`sh
code that nobody reads
\`\`\`
- an item
  and its end
- another
`;
  assert.deepEqual(shown(textsOfMarkdown(page)), [
    'page 1: Title',
    'page 2: One line,|and its end.',
    'page 11: an item|  and its end',
    'page 13: another',
  ]);
});

test('a changelog is read up to the first version, with the lines of the file', () => {
  const page = '# Changelog\n\n## Unreleased\n\n- New\n\n## 0.1.0\n\n- Old\n';
  assert.deepEqual(shown(textsOfMarkdown(unreleased(page))), ['page 3: Unreleased', 'page 5: New']);
  assert.deepEqual(textsOfMarkdown(unreleased('# Changelog\n\n## 0.1.0\n')), []);
});

test('comments and descriptions of YAML and shell scripts are found', () => {
  const file = `#!/bin/sh
# Starts it.
# Then waits.
run # in the background
# Of the rest.
summary: The disk is full.
`;
  assert.deepEqual(shown(textsOfHashComments(file)), [
    'header 2: Starts it.|Then waits.',
    'comment 4: in the background',
    'comment 5: Of the rest.',
    'message 6: The disk is full.',
  ]);
});
