/** Tables of all operations of each resource, for command lines and forms. */
export { objectTables, resourceTables } from './generated/operations.ts';
export type * from './operation.ts';
