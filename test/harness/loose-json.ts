/** JSON that a test looks into field by field: each look is an assertion. */
// biome-ignore lint/suspicious/noExplicitAny: the test checks its shape.
export type LooseJson = any;
