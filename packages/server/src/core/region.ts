/** The regions that there are: of daemons, of reserved domains and addresses. In: nothing. Out: their codes. What may change here: a code may be added. */
export const regions = ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'] as const;

export type Region = (typeof regions)[number];

/** Of whatever names none; names in it do not say so. */
export const defaultRegion: Region = 'us';
