/**
 * The format of documents' bodies. The number grows when an older program would misread a changed body.
 * Invariant: documents of an older format can always be read.
 */
import { StoreUnavailableError } from './store.ts';

/** Stored with each document of every kind. */
export const DOCUMENT_FORMAT = 1;

/** A newer program wrote the document. This program cannot interpret it, so it neither reads nor replaces it. */
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
