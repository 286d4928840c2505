/** The rules of plain words, each a function from a text to the sentences that break it. */
import { type Sentence, sentencesOf, wordCount } from './sentences.ts';
import type { Text } from './text.ts';

export const RULES = [
  'question-header',
  'question-comment',
  'never-that',
  'preposition-comment',
  'long-sentence',
  'private-verb',
] as const;
export type Rule = (typeof RULES)[number];

export const DESCRIPTIONS: Readonly<Record<Rule, string>> = {
  'question-header': 'file headers that begin with a question word',
  'question-comment': 'other comments that begin with a question word',
  'never-that': 'sentences with "Never that"',
  'preposition-comment': 'headers and doc comments that begin with a preposition',
  'long-sentence': 'sentences of more than 30 words',
  'private-verb': 'verbs and actors that the field does not use',
};

const MOST_WORDS = 30;
/** Question words, and two that begin the same unfinished sentences. */
const QUESTION = /^(what|which|who|whose|whom|when|where|whether|how|why|that|those)\b/i;
const PREPOSITION =
  /^(about|above|across|after|against|along|among|around|as|at|before|behind|below|beside|besides|between|beyond|by|despite|during|except|for|from|in|inside|into|like|of|off|on|onto|out|outside|over|per|since|through|to|toward|towards|under|until|up|upon|via|with|within|without)\b/i;

const PRIVATE = new RegExp(
  [
    ...['tells?', 'told', 'telling', 'says?', 'said', 'saying', 'asks?', 'asked', 'asking'],
    ...['stands?', 'stood', 'standing', 'g(?:ives?|ave|iven|iving) way', '(?:is|are|was|were|be|been) over'],
    ...['c(?:omes?|ame|oming) about', 't(?:akes?|ook|aken|aking) along', 'look(?:s|ed|ing)? at', 'be it'],
    ...['whoever', 'whomever', 'somebody', 'nobody'],
  ]
    .map((verb) => `\\b${verb}\\b`)
    .join('|'),
  'gi',
);
/** Plain meanings of the same words. */
const PLAIN =
  /\b(?:stands? for|stand-?alone|(?:is|are|was|were|be|been) over (?:\d|a |an |the |TLS|TCP|UDP|QUIC|HTTP|\{|its|their|this|that|every|all|one|two))/gi;

/** Returns the sentences that break the rule. `private-verb` returns one for each word. */
export function breaches(rule: Rule, text: Text): readonly Sentence[] {
  const sentences = sentencesOf(text);
  const first = sentences.slice(0, 1);
  switch (rule) {
    case 'question-header':
      return text.kind === 'header' ? first.filter(({ text }) => QUESTION.test(text)) : [];
    case 'question-comment':
      return text.kind === 'doc' || text.kind === 'comment'
        ? first.filter(({ text }) => QUESTION.test(text))
        : [];
    case 'preposition-comment':
      return text.kind === 'header' || text.kind === 'doc'
        ? first.filter(({ text }) => PREPOSITION.test(text))
        : [];
    case 'never-that':
      return sentences.filter(({ text }) => /\bnever that\b/i.test(unquoted(text)));
    case 'long-sentence':
      return sentences.filter(({ text }) => wordCount(text) > MOST_WORDS);
    case 'private-verb':
      return sentences.flatMap((sentence) => privateWords(sentence.text).map(() => sentence));
    default:
      return rule satisfies never;
  }
}

const privateWords = (sentence: string): readonly string[] =>
  unquoted(sentence).replaceAll(PLAIN, '').match(PRIVATE) ?? [];

/** Removes words in quotation marks and backquotes. */
const unquoted = (sentence: string): string => sentence.replaceAll(/`[^`]*`|"[^"]*"/g, '""');
