/**
 * How much a set of labels may hold, on a tunnel and in a group that selects tunnels: what a tunnel may carry can be selected.
 * In: nothing. Out: limits. What may change here: a limit may grow, never shrink below what is stored.
 */
export const labelLimits = { count: 32, keyBytes: 255, valueBytes: 255 } as const;
