/**
 * Reads several parts of the user's input.
 * Invariant: a mistake in one part does not hide those in the others.
 */
import { InvalidInput } from './address.ts';

/** Returns all parts, or throws one InvalidInput with a line for each mistake. */
export function checkAll<T extends readonly unknown[]>(parts: { [K in keyof T]: () => T[K] }): T {
  const read: unknown[] = [];
  const wrong: InvalidInput[] = [];
  for (const part of parts) {
    try {
      read.push(part());
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      wrong.push(...mistakesIn(error));
    }
  }
  if (wrong.length > 0) throw asOne(wrong);
  return read as unknown as T;
}

/** `mistakes`: one or more. */
export function asOne(mistakes: readonly InvalidInput[]): InvalidInput {
  const [first] = mistakes;
  return mistakes.length === 1 && first !== undefined ? first : new Mistakes(mistakes);
}

/** Each for itself. */
export function mistakesIn(error: InvalidInput): readonly InvalidInput[] {
  return error instanceof Mistakes ? error.all : [error];
}

class Mistakes extends InvalidInput {
  readonly all: readonly InvalidInput[];

  constructor(all: readonly InvalidInput[]) {
    super(all.map(({ message }) => message).join('\n'));
    this.all = all;
  }
}
