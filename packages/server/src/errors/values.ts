/** What the messages of the catalogue have placeholders for. */
import type { catalogue, ErrorName } from './catalogue.ts';

/**
 * Names of fields, or values that a field can have, as a message says them. `at` is a JSON pointer: to the object whose fields they
 * are, or to the field that can have them; for clients who have other words there.
 */
export class Terms {
  readonly at: string;
  readonly terms: readonly string[];

  constructor(at: string, terms: readonly string[]) {
    this.at = at;
    this.terms = terms;
  }

  toString(): string {
    return this.terms.join(', ');
  }
}

export type ProblemValue = string | number | Terms;
export type ProblemValues = Readonly<Record<string, ProblemValue>>;

type PlaceholdersIn<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersIn<Rest>
  : never;
export type PlaceholdersOf<Name extends ErrorName> = PlaceholdersIn<(typeof catalogue)[Name]['message']>;

/** What a condition must be raised with; of several, what any of them needs. */
export type ValuesOf<Name extends ErrorName> = Readonly<Record<PlaceholdersOf<Name>, ProblemValue>>;

/** The conditions that can be raised with these values alone. */
export type ErrorNeeding<Given extends string = never> = {
  [Name in ErrorName]: [PlaceholdersOf<Name>] extends [Given] ? Name : never;
}[ErrorName];
