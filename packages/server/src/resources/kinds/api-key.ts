/** API keys: what a caller of this API authenticates with (open points, decision 14 and part B 1.1). */

import { hashToken, mintSecret, tokenOf } from '../../access/tokens.ts';
import { Type } from '../../core/type.ts';
import type { ApiKeyDocument } from '../../documents/index.ts';
import type { StoredKind } from '../definition.ts';
import { lastUseFields, neverUsed } from '../last-use.ts';
import { chooseOwner, ownerId, ownerReference, showOwner } from '../owner.ts';
import { body, common, describedWrite, type Input, nullable } from '../schema.ts';

const described = describedWrite('credentialDescriptionTooLong', 'credentialMetadataTooLong');
const create = body({ ...described, owner_id: ownerId }, { examples: [{ description: 'For deployments' }] });
const update = body(described, { examples: [{ description: 'For deployments at night' }] });

export const apiKey: StoredKind<ApiKeyDocument, Input<typeof create>, Input<typeof update>> = {
  source: 'stored',
  name: 'api_key',
  eventStem: 'api_key',
  prefix: 'ak',
  path: '/api_keys',
  listKey: 'keys',
  schemaName: 'APIKey',
  summary: 'API keys',
  description: 'Keys for requests to this API.',
  group: 'Keys and credentials',
  one: 'an API key',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    token: nullable(Type.String({ description: 'The key itself; only in the answer to the creation.' })),
    owner_id: Type.String(),
    ...lastUseFields,
  }),
  hasLastUse: true,
  modules: [],
  references: [ownerReference],

  async parse(input, context) {
    const owner = await chooseOwner(input.owner_id, context);
    const { description = '', metadata = '' } = input;
    const secret = mintSecret();
    const fields = { description, metadata, ...owner };
    return {
      body: { ...fields, token_hash: '' },
      complete: (id) => {
        const token = tokenOf(id, secret);
        return { body: { ...fields, token_hash: hashToken(token) }, oneTime: { token } };
      },
    };
  },

  merge({ body: current }, patch) {
    return { body: { ...current, ...patch } };
  },

  /** Members manage their own keys only. */
  visible(key, { role, owner }) {
    return role === 'admin' || key.owner_id === owner;
  },

  show({ body }) {
    return { token: null, ...showOwner(body), ...neverUsed };
  },
};
