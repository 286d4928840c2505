/** The regions that there are: of daemons, of reserved domains and addresses. Never that a code goes. */
export const regions = ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'] as const;

export type Region = (typeof regions)[number];

/** Of whatever names none; names in it do not say so. */
export const defaultRegion: Region = 'us';
