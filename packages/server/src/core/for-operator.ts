/** An error whose message is for the operator: what is wrong and what to do, without secrets. */
export class ForOperator extends Error {}
