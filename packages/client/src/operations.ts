/** What can be done with each resource, as a table: for command lines, forms and whatever else offers operations by name. */
export { objectTables, resourceTables } from './generated/operations.ts';
export type * from './operation.ts';
