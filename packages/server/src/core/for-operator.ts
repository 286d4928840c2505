/** An error whose message is for whoever runs the program: it says what is wrong and what to do, and has no secret in it. */
export class ForOperator extends Error {}
