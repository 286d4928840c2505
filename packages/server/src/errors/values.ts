/** Values of the placeholders in the catalogue's messages. */
import type { catalogue, ErrorName } from './catalogue.ts';

/**
 * Names of fields, or values of a field, in a message. `at` is a JSON pointer: to the object of the fields, or to the
 * field of the values. It serves clients with other names.
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

/** Values that a condition needs; for several conditions, the values of all. */
export type ValuesOf<Name extends ErrorName> = Readonly<Record<PlaceholdersOf<Name>, ProblemValue>>;

/** The conditions that can be raised with these values alone. */
export type ErrorNeeding<Given extends string = never> = {
  [Name in ErrorName]: [PlaceholdersOf<Name>] extends [Given] ? Name : never;
}[ErrorName];
