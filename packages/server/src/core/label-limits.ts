/**
 * How much a set of labels may hold, on a tunnel and in a group that selects tunnels: what a tunnel may carry can be
 * selected. Never that a limit shrinks below what is stored.
 */
export const labelLimits = { count: 32, keyBytes: 255, valueBytes: 255 } as const;
