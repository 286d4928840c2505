/** Event destinations (specification, sections 2.19 and 4.10). Nothing is sent to one unless a subscription names it. */

import { Type } from '../../core/type.ts';
import type { EventDestinationDocument } from '../../documents/index.ts';
import type { StoredKind } from '../definition.ts';
import { deliveryStatus, deliveryTest } from '../event-targets/delivery-parts.ts';
import { parseTarget, showTarget, targetCreate, targetRead, targetWrite } from '../event-targets/index.ts';
import { tryMonitoringKey } from '../event-targets/monitoring-key.ts';
import { body, choice, common, describedWrite, type Input, optional, required } from '../schema.ts';
import { showDocument } from '../show.ts';

const described = describedWrite('eventDestinationDescriptionTooLong', 'eventDestinationMetadataTooLong');
const format = choice(['json'], 'eventFormatInvalid', 'The format of events.');

const create = body(
  {
    ...described,
    format: required(format, 'eventFormatInvalid'),
    target: required(targetCreate, 'eventTargetMissing'),
  },
  {
    examples: [
      {
        description: 'What we monitor',
        format: 'json',
        target: { monitoring: { api_key: '0123456789abcdef', service: 'edge', tags: 'env:test' } },
      },
    ],
  },
);
const update = body(
  { ...described, format: optional(format), target: optional(targetWrite) },
  { examples: [{ description: 'What we monitored' }] },
);

export const eventDestination: StoredKind<
  EventDestinationDocument,
  Input<typeof create>,
  Input<typeof update>
> = {
  source: 'stored',
  name: 'event_destination',
  eventStem: 'event_destination',
  prefix: 'ed',
  path: '/event_destinations',
  listKey: 'event_destinations',
  schemaName: 'EventDestination',
  summary: 'Event destinations',
  description: 'A target for events, and their format. Nothing is sent unless a subscription names it.',
  group: 'Events',
  one: 'an event destination',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({ ...common, format: Type.String(), target: targetRead }),
  modules: [],
  references: [],
  views: [deliveryStatus],
  actions: [deliveryTest((document, context) => showDocument(eventDestination, document, context))],
  inUse: 'eventDestinationInUse',

  async parse({ description = '', metadata = '', format, target: given }, { principal, sealer, settings }) {
    const { target, seal } = parseTarget(given, null);
    await tryMonitoringKey(target, given.monitoring?.api_key, { ...settings, account: principal.account });
    const fields = { description, metadata, format };
    return {
      body: { ...fields, target },
      complete: (id) => ({ body: { ...fields, target: seal(id, sealer) } }),
    };
  },

  async merge({ body: current }, { target: given, ...patch }, { principal, sealer, settings }) {
    const body = { ...current, ...patch };
    if (given === undefined) return { body };
    const { target, seal } = parseTarget(given, current.target);
    await tryMonitoringKey(target, given.monitoring?.api_key, { ...settings, account: principal.account });
    return {
      body: { ...body, target },
      complete: (id) => ({ body: { ...body, target: seal(id, sealer) } }),
    };
  },

  show({ body: { format, target } }) {
    return { format, target: showTarget(target) };
  },
};
