/**
 * The format of documents' bodies: what a program may read and what it must leave alone.
 * In: nothing. Out: today's number, and the error for a greater one. What may change here: the number, when a body of any kind changes so that
 * a program which does not know of it would misread it; older ones must still be read.
 */
import { StoreUnavailableError } from './store.ts';

/** Written with each document, of whatever kind. */
export const DOCUMENT_FORMAT = 1;

/** A newer program wrote the document. What an older one would make of it is not known, so it neither reads nor replaces it. */
export class NewerFormatError extends StoreUnavailableError {
  override readonly name = 'NewerFormatError';
  readonly id: string;
  constructor(id: string, format: number) {
    super(
      `the document ${id} has format ${format}; this program knows formats up to ${DOCUMENT_FORMAT}: run the newer program`,
    );
    this.id = id;
  }
}
