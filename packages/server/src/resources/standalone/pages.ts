/** Fields of the lists of operations that belong to no kind. */
import { type TSchema, Type } from '../../core/type.ts';
import { nullable } from '../schema.ts';

const MOST = 100;

/** Parameters of a page. `before`: schema of the id. */
export function pageParameters<Schema extends TSchema>(before: Schema) {
  return {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MOST, default: MOST, description: 'Largest number on a page.' }),
    ),
    before_id: Type.Optional(before),
  };
}

export const nextPage = {
  uri: Type.String({ description: 'URL of this page.' }),
  next_page_uri: nullable(Type.String({ description: 'URL of the next page; null on the last one.' })),
};
