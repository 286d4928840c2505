/** Steps of the backend of a route, and of the backends below it. */
import type { BackendPreview } from '../../edge/sites/site.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { type Judged, passed, skipped, type Trace } from './trace.ts';
import { refused } from './verdicts.ts';

/** The form in which a visitor gets a response of the service. */
export type Carried = 'http' | 'bytes' | 'bytesInTls';

export interface BackendOutcome {
  /** Status of a configured response; 0 if the backend decides. */
  readonly status: number;
}

/** Adds the steps of a backend. `hint`: a sentence about a missing tunnel; '' for none. */
export async function explainBackend(
  trace: Trace,
  preview: BackendPreview,
  carried: Carried,
  hint: string,
): Promise<BackendOutcome> {
  const { id, instead, why } = preview;
  if (typeof instead === 'string') {
    for (const { preview: below } of preview.below ?? []) await unchosen(trace, below);
    await trace.add('backend', id, () => refused(instead, `${why}${hint}`, carried === 'http'));
    return { status: 0 };
  }
  await trace.add('backend', id, () => judged(preview, carried));
  for (const { preview: below, isChosen } of preview.below ?? []) {
    if (isChosen) await explainBackend(trace, below, carried, '');
    else await unchosen(trace, below);
  }
  return { status: instead === null ? 0 : instead.status };
}

function judged({ instead, why }: BackendPreview, carried: Carried): Judged {
  if (instead === null || carried !== 'bytes') return passed(why);
  const words = 'The service cannot send its own response in bytes that it does not read.';
  return refused('fixedResponseNotTerminated', `${why} ${words}`, false);
}

/** A backend that the first attempt does not go to. */
async function unchosen(trace: Trace, { id, instead, why, below = [] }: BackendPreview): Promise<void> {
  const error: ErrorName | undefined = typeof instead === 'string' ? instead : undefined;
  const words = error === undefined ? `${why} It is not the choice of a first attempt.` : why;
  await trace.add('backend', id, () => skipped(words, error));
  for (const one of below) await unchosen(trace, one.preview);
}
