/** Judgements of steps from the decisions of guards. */

import type { Preview } from '../../edge/sites/site.ts';
import { catalogue, type ErrorName } from '../../errors/catalogue.ts';
import { type Judged, passed } from './trace.ts';

/** `isHttp`: false if the visitor gets no HTTP response, because the connection is closed instead. */
export function judgedBy(preview: Preview, isHttp: boolean): Judged {
  const { resource } = preview;
  const judged = decisionOf(preview, isHttp);
  return resource === undefined ? judged : { ...judged, resource };
}

function decisionOf({ verdict, why }: Preview, isHttp: boolean): Judged {
  if (verdict === null) return passed(why);
  if (typeof verdict === 'string') return refused(verdict, why, isHttp);
  if (verdict.kind === 'refusal') return refused(verdict.error, why, isHttp);
  const { status } = verdict;
  return { outcome: status < 400 ? 'answered' : 'refused', error: null, status: isHttp ? status : 0, why };
}

export function refused(error: ErrorName, why: string, isHttp: boolean): Judged {
  return { outcome: 'refused', error, status: isHttp ? catalogue[error].status : 0, why };
}
