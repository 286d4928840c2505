/**
 * The id of an event, by which a client continues: a position in the change log.
 * Invariant: it reveals nothing of other accounts but how much was written.
 */
import type { Position } from '../../store/store.ts';

/** A position, and the second up to which resources existed there. */
export interface EventPosition extends Position {
  /** Seconds since 1970 of the newest id at the position. */
  readonly newest: number;
}

/** Marks are UUIDs. */
const FORM = /^(\d{1,15})-(\d{1,12})(?:-([0-9a-f-]{36}))?$/;

export function eventId({ revision, newest, mark }: EventPosition): string {
  return `${revision}-${newest}${mark === undefined ? '' : `-${mark}`}`;
}

/** Null for a text that is no such id. */
export function parseEventId(text: string): EventPosition | null {
  const [, revision, newest, mark] = FORM.exec(text) ?? [];
  if (revision === undefined || newest === undefined) return null;
  const position = { revision: Number(revision), newest: Number(newest) };
  return mark === undefined ? position : { ...position, mark };
}
