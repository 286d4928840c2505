import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breaches, RULES, type Rule } from './rules.ts';
import { sentencesOf, wordCount } from './sentences.ts';
import type { Text, TextKind } from './text.ts';

const text = (kind: TextKind, words: string): Text => ({ kind, line: 1, lines: words.split('\n') });
const count = (rule: Rule, kind: TextKind, words: string): number => breaches(rule, text(kind, words)).length;
const words = (number: number): string => Array.from({ length: number }, () => 'word').join(' ');

test('sentences end at a full stop, an empty line or a list item, not at an abbreviation', () => {
  const sentences = sentencesOf(
    text('doc', 'One, e.g. this. Two goes\non here (see `a. b`).\n\n- Three\n- Four'),
  );
  assert.deepEqual(
    sentences.map(({ line, text }) => `${line}: ${text}`),
    ['1: One, e.g. this.', '1: Two goes on here (see `a.·b`).', '4: - Three', '5: - Four'],
  );
});

test('code in backquotes and the address of a link count as one word at most', () => {
  assert.equal(
    wordCount(sentencesOf(text('page', 'Run `npm ci && npm test` in [a\nfolder](b) —'))[0]!.text),
    5,
  );
});

test('headers and comments may not begin with a question word, each by a rule of its own', () => {
  for (const begin of [
    'What a peer sends',
    'whose turn it is',
    'How often',
    'Those of a peer',
    'That it ends',
  ])
    for (const [rule, kind] of [
      ['question-header', 'header'],
      ['question-comment', 'doc'],
      ['question-comment', 'comment'],
    ] as const)
      assert.equal(count(rule, kind, `${begin}.`), 1, `${kind}: ${begin}`);
  assert.equal(count('question-header', 'doc', 'What a peer sends.'), 0);
  for (const kind of ['header', 'message', 'page'] as const)
    assert.equal(count('question-comment', kind, 'What a peer sends.'), 0);
  for (const allowed of ['Whatever.', 'Bytes. What a peer sends.', 'Thatch.'])
    assert.equal(count('question-comment', 'doc', allowed), 0, allowed);
});

test('headers and doc comments may not begin with a preposition', () => {
  for (const kind of ['header', 'doc'] as const) {
    assert.equal(count('preposition-comment', kind, 'Of the peer.'), 1);
    assert.equal(count('preposition-comment', kind, 'The size. Of the peer.'), 0);
    assert.equal(count('preposition-comment', kind, 'Official.'), 0);
  }
  assert.equal(count('preposition-comment', 'comment', 'After the end, nothing is read.'), 0);
});

test('a sentence has at most 30 words', () => {
  for (const kind of ['header', 'doc', 'comment', 'message', 'page'] as const) {
    assert.equal(count('long-sentence', kind, `${words(30)}. ${words(30)}.`), 0);
    assert.equal(count('long-sentence', kind, `${words(31)}. ${words(3)}.`), 1);
  }
});

test('"Never that" is found on two lines', () => {
  assert.equal(count('never-that', 'doc', 'A list. Never\nthat it grows.'), 1);
  assert.equal(count('never-that', 'doc', 'It never thaws.'), 0);
  assert.equal(count('never-that', 'page', 'The form "Never that" is gone.'), 0);
});

test('private verbs and actors count each time, but not in quotes or in their plain meaning', () => {
  for (const verb of ['told', 'says', 'asked', 'stands on', 'gives way', 'is over', 'looks at', 'Nobody']) {
    assert.equal(count('private-verb', 'comment', `The peer ${verb} it.`), 1, verb);
  }
  assert.equal(count('private-verb', 'page', 'The peer is told, and asked.'), 2);
  assert.equal(
    count('private-verb', 'message', 'MITM stands for it; it understands "is over" and `ask`.'),
    0,
  );
  assert.equal(count('private-verb', 'doc', 'The size is over 4 KiB.'), 0);
});

test('every rule finds something', () => {
  const all = text('header', `What is told to ${words(30)}. Never that.`);
  const texts = [all, text('doc', 'Of it.'), text('comment', 'Which one.')];
  for (const rule of RULES)
    assert.ok(
      texts.some((one) => breaches(rule, one).length > 0),
      rule,
    );
});
