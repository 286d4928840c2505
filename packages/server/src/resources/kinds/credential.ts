/** Tunnel credentials: what an agent authenticates with, and what it may bind (specification, sections 2.8 and 2.10). */

import { hashToken, mintSecret, tokenOf } from '../../access/tokens.ts';
import { Type } from '../../core/type.ts';
import type { CredentialDocument } from '../../documents/index.ts';
import { aclField, checkRules } from '../acl.ts';
import type { StoredKind } from '../definition.ts';
import { lastUseFields, neverUsed } from '../last-use.ts';
import { chooseOwner, ownerId, ownerReference, showOwner } from '../owner.ts';
import { body, common, describedWrite, type Input, nullable } from '../schema.ts';

const fields = {
  ...describedWrite('credentialDescriptionTooLong', 'credentialMetadataTooLong'),
  acl: aclField,
};
const examples = [{ description: "Ada's laptop", acl: ['bind:*.example.com', 'bind:app=web'] }];
const create = body({ ...fields, owner_id: ownerId }, { examples });
const update = body(fields, { examples });

export const credential: StoredKind<CredentialDocument, Input<typeof create>, Input<typeof update>> = {
  source: 'stored',
  name: 'credential',
  eventStem: 'tunnel_credential',
  prefix: 'cr',
  path: '/credentials',
  listKey: 'credentials',
  schemaName: 'Credential',
  summary: 'Tunnel credentials',
  description: "An agent's authtoken, and the names that the agent may bind with it.",
  group: 'Keys and credentials',
  one: 'a tunnel credential',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    token: nullable(Type.String({ description: 'The authtoken; only in the answer to the creation.' })),
    acl: Type.Array(Type.String()),
    owner_id: Type.String(),
    ...lastUseFields,
  }),
  hasLastUse: true,
  modules: [],
  references: [ownerReference],

  async parse(input, context) {
    const owner = await chooseOwner(input.owner_id, context);
    const acl = checkRules(input.acl ?? []);
    const { description = '', metadata = '' } = input;
    const secret = mintSecret();
    const fields = { description, metadata, ...owner, acl };
    return {
      body: { ...fields, token_hash: '' },
      complete: (id) => {
        const token = tokenOf(id, secret);
        return { body: { ...fields, token_hash: hashToken(token) }, oneTime: { token } };
      },
    };
  },

  merge({ body: current }, patch) {
    if (patch.acl !== undefined) checkRules(patch.acl);
    return { body: { ...current, ...patch } };
  },

  show({ body }) {
    return { token: null, acl: body.acl, ...showOwner(body), ...neverUsed };
  },
};
