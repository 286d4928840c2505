/** The regions that there are: of daemons, of reserved domains. In: nothing. Out: their codes. What may change here: a code may be added. */
export const regions = ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'] as const;
