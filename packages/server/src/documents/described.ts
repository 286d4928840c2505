/** What nearly every resource has beside its own fields. */
export type Described = {
  readonly description: string;
  readonly metadata: string;
};
