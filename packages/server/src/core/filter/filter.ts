/** A checked filter: terms of which each one must hold. */

/** Operators of every filter, in the order of the reference. */
export const OPERATORS = ['=', '!=', '>', '>=', '<', '<=', 'contains', 'starts_with'] as const;
export type Operator = (typeof OPERATORS)[number];

/** Bytes of a filter as UTF-8, at most. */
export const MOST_BYTES = 2048;
export const MOST_TERMS = 20;

/** The value of a term. A time is in milliseconds since the epoch. Null: the field has no value. */
export type Operand =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'number' | 'time'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'null' };

export interface Term {
  /** Names from the top of the object down. */
  readonly path: readonly string[];
  readonly operator: Operator;
  readonly operand: Operand;
}

export type Filter = readonly Term[];

/** The reason why a text is no filter. Positions count characters (code points) from 1. */
export type FilterFault =
  | { readonly fault: 'syntax'; readonly position: number; readonly reason: string }
  /** `allowed`: names that are possible here. */
  | {
      readonly fault: 'field';
      readonly position: number;
      readonly field: string;
      readonly allowed: readonly string[];
    }
  | {
      readonly fault: 'operator';
      readonly position: number;
      readonly field: string;
      readonly operator: Operator;
      readonly allowed: readonly Operator[];
    }
  /** `expected`: a form or a list of values. */
  | {
      readonly fault: 'value';
      readonly position: number;
      readonly field: string;
      readonly value: string;
      readonly expected: string;
    }
  | { readonly fault: 'bytes'; readonly actual: number; readonly limit: number }
  | { readonly fault: 'terms'; readonly limit: number };

export function isFilterFault(value: Filter | FilterFault): value is FilterFault {
  return 'fault' in value;
}
