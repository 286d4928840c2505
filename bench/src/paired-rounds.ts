/**
 * Measures subjects in turn with one base: base, subject, base, next subject, and so on. The base of a ratio is the mean of the measures right
 * before and right after. If these two differ by more than a tenth the machine did something else meanwhile, and the subject is measured again.
 */
import { median, type Spread, spreadOf } from './table.ts';

/** The largest part by which two measures of the base may differ. */
const MOST_DEVIATION = 0.1;
/** Repetitions for one subject in one round. The last one counts even if its base deviates. */
const MOST_REPEATS = 3;

export interface PairedOptions<Subject, Measured> {
  readonly base: Subject;
  readonly subjects: readonly Subject[];
  readonly rounds: number;
  readonly measure: (subject: Subject) => Promise<Measured>;
  /** The number by which the base is judged. */
  readonly judged: (measured: Measured) => number;
}

interface Triple<Measured> {
  readonly before: Measured;
  readonly measured: Measured;
  readonly after: Measured;
}

type Read<Measured> = (measured: Measured) => number;

export class PairedRounds<Measured> {
  /** Measures that were repeated. */
  repeated = 0;
  /** Measures that count although their base deviates. */
  unsteady = 0;
  /** One list for each subject. */
  readonly #triples: readonly Triple<Measured>[][];

  private constructor(subjects: number) {
    this.#triples = Array.from({ length: subjects }, () => []);
  }

  static async measure<Subject, Measured>(
    options: PairedOptions<Subject, Measured>,
  ): Promise<PairedRounds<Measured>> {
    const { base, subjects, measure } = options;
    const rounds = new PairedRounds<Measured>(subjects.length);
    let before = await measure(base);
    for (let round = 0; round < options.rounds; round++) {
      for (const [at, subject] of subjects.entries()) {
        for (let repeats = 0; ; repeats++) {
          const triple = { before, measured: await measure(subject), after: await measure(base) };
          before = triple.after;
          if (rounds.#take(at, triple, options.judged, repeats === MOST_REPEATS)) break;
        }
      }
    }
    return rounds;
  }

  #take(at: number, triple: Triple<Measured>, judged: Read<Measured>, isLast: boolean): boolean {
    const [before, after] = [judged(triple.before), judged(triple.after)];
    const isSteady = Math.abs(before - after) <= MOST_DEVIATION * Math.min(before, after);
    if (!isSteady && !isLast) {
      this.repeated += 1;
      return false;
    }
    if (!isSteady) this.unsteady += 1;
    this.#triples[at]?.push(triple);
    return true;
  }

  /** The median of a subject; of the base if `subject` is -1. */
  of(subject: number, read: Read<Measured>): number {
    const ofBase = this.#triples.flat().map(({ after }) => read(after));
    return median(this.#triples[subject]?.map(({ measured }) => read(measured)) ?? ofBase);
  }

  /** The ratios of a subject to the base. Those of the base are to its measure before: the noise of the machine. */
  ratio(subject: number, read: Read<Measured>): Spread {
    const toBase = ({ before, measured, after }: Triple<Measured>) =>
      (2 * read(measured)) / (read(before) + read(after));
    const ofBase = this.#triples.flat().map(({ before, after }) => read(after) / read(before));
    return spreadOf(this.#triples[subject]?.map(toBase) ?? ofBase);
  }
}
