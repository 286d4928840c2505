/**
 * Measures several subjects in turn, round after round.
 * Invariant: a ratio compares measurements of one round, because the speed of a machine drifts.
 */
import { median } from './table.ts';

export class Rounds<Measured> {
  readonly #rounds: readonly (readonly Measured[])[];

  private constructor(rounds: readonly (readonly Measured[])[]) {
    this.#rounds = rounds;
  }

  static async measure<Subject, Measured>(
    subjects: readonly Subject[],
    rounds: number,
    measure: (subject: Subject) => Promise<Measured>,
  ): Promise<Rounds<Measured>> {
    const all: Measured[][] = [];
    for (let round = 0; round < rounds; round++) {
      const results: Measured[] = [];
      for (const subject of subjects) results.push(await measure(subject));
      all.push(results);
    }
    return new Rounds(all);
  }

  /** The median of a subject. */
  of(subject: number, read: (measured: Measured) => number): number {
    return median(this.#rounds.map((round) => read(round[subject]!)));
  }

  /** The median of the rounds' ratios of one subject to another. */
  ratio(subject: number, base: number, read: (measured: Measured) => number): number {
    return median(this.#rounds.map((round) => read(round[subject]!) / read(round[base]!)));
  }

  /** `base`: -1 where what it is a ratio to is missing. */
  ratioText(subject: number, base: number, read: (measured: Measured) => number): string {
    return base < 0 ? '-' : this.ratio(subject, base, read).toFixed(2);
  }
}
