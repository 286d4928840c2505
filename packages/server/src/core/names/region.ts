/** The regions of daemons, reserved domains and addresses. Invariant: a code is never removed. */
export const regions = ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'] as const;

export type Region = (typeof regions)[number];

/** The default region. Names in it do not contain a region. */
export const defaultRegion: Region = 'us';
