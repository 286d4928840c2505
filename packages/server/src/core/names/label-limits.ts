/**
 * Limits of label sets, on a tunnel and in a group that selects tunnels: every possible label can be selected.
 * Invariant: a limit never shrinks below what is stored.
 */
export const labelLimits = { count: 32, keyBytes: 255, valueBytes: 255 } as const;
