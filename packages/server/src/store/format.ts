/**
 * The format of documents' bodies: a number that grows when a body changes so that a program which does not know of it would
 * misread it. Never that an older one can no longer be read.
 */
import { StoreUnavailableError } from './store.ts';

/** Written with each document, of whatever kind. */
export const DOCUMENT_FORMAT = 1;

/** A newer program wrote the document. What an older one would make of it is not known, so it neither reads nor replaces it. */
export class NewerFormatError extends StoreUnavailableError {
  override readonly name = 'NewerFormatError';
  readonly id: string;
  readonly format: number;
  constructor(id: string, format: number) {
    super(
      `the document ${id} has format ${format}; this program knows formats up to ${DOCUMENT_FORMAT}: run the newer program`,
    );
    this.id = id;
    this.format = format;
  }
}
