/** Fields that nearly every resource has beside its own. */
export type Described = {
  readonly description: string;
  readonly metadata: string;
};
