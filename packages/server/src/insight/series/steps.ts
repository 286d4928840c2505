/** The resolutions of series: seconds in a step, a block and the whole history. */

export interface Step {
  /** Name in the API. */
  readonly name: '1s' | '1m' | '1h';
  /** Seconds of one cell. */
  readonly seconds: number;
  /** Seconds of one block. */
  readonly block: number;
  /** Seconds of the history. */
  readonly kept: number;
}

export const SECONDS: Step = { name: '1s', seconds: 1, block: 60, kept: 600 };
export const MINUTES: Step = { name: '1m', seconds: 60, block: 3_600, kept: 86_400 };
export const HOURS: Step = { name: '1h', seconds: 3_600, block: 86_400, kept: 90 * 86_400 };
export const steps = { '1s': SECONDS, '1m': MINUTES, '1h': HOURS } as const;

/** Returns the start of the block that has a second. */
export function blockAt({ block }: Step, second: number): number {
  return second - (second % block);
}

/** Returns the place of a second in its block. */
export function slotAt({ seconds, block }: Step, second: number): number {
  return Math.floor((second % block) / seconds);
}
