/** Selections of certificates and domains, with their label and the filter of the API. Pure. */

const DAY_MS = 86_400_000;

interface Choice {
  readonly label: string;
  /** `now`: milliseconds since 1970. */
  readonly filter: (now: number) => string;
}

/** Selections by the value of "Show" in the address. */
export const CERTIFICATES: Readonly<Record<string, Choice>> = {
  '': { label: 'All certificates', filter: () => '' },
  soon: { label: 'End within 30 days', filter: (now) => endsBefore(now + 30 * DAY_MS) },
  ended: { label: 'Ended', filter: endsBefore },
  uploaded: { label: 'Uploaded', filter: () => 'issued_at = null' },
  issued: { label: 'Issued by this service', filter: () => 'issued_at != null' },
};

/** Domains outside the shared one: those that can have a managed certificate. */
const OUTSIDE = 'cname_target != null';
const JOB = 'certificate_management_status.provisioning_job';

export const DOMAINS: Readonly<Record<string, Choice>> = {
  '': { label: 'All domains', filter: () => OUTSIDE },
  failed: { label: 'Failed', filter: () => `${OUTSIDE} and ${JOB}.error_code != null` },
  managed: {
    label: 'With a managed certificate',
    filter: () => `${OUTSIDE} and certificate_management_policy != null`,
  },
};

/** The path of a list, with its filter and search. An unknown choice is the first one. */
export function listPath(
  collection: string,
  choices: Readonly<Record<string, Choice>>,
  show: string,
  q: string,
  now: number,
): string {
  const choice = Object.hasOwn(choices, show) ? choices[show] : choices[''];
  const filter = choice?.filter(now) ?? '';
  return `${collection}?${new URLSearchParams({ limit: '100', ...(q && { q }), ...(filter && { filter }) })}`;
}

function endsBefore(time: number): string {
  return `not_after < ${new Date(time).toISOString().replace(/\.\d+/, '')}`;
}
