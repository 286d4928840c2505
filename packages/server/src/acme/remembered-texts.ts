/**
 * Stores the TXT records that a command publishes.
 * Invariant: every record is stored before it is published, so that a crash orphans none.
 */

import type { Hostname } from '../core/names/hostname.ts';
import type { TextRecords } from '../dns/text-records.ts';
import type { ProofTexts } from './dns-hook.ts';

export class RememberedTexts implements ProofTexts {
  readonly #texts: ProofTexts;
  readonly #records: TextRecords;

  constructor(texts: ProofTexts, records: TextRecords) {
    this.#texts = texts;
    this.#records = records;
  }

  async add(name: Hostname, value: string, signal: AbortSignal): Promise<void> {
    await this.#records.add(name, value);
    await this.#texts.add(name, value, signal);
  }

  async clear(name: Hostname): Promise<void> {
    await this.#texts.clear(name);
    await this.#records.clear(name);
  }
}
