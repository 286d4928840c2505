/** Event subscriptions and their sources (specification, sections 2.20, 2.21 and 4.10). */

import { type EventType, eventTypes } from '../../core/event-types.ts';
import { Type } from '../../core/type.ts';
import type { EventSubscriptionDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { JsonObject } from '../../store/store.ts';
import type { ShowContext, StoredElements, StoredKind } from '../definition.ts';
import {
  body,
  characters,
  choice,
  common,
  type Input,
  idOf,
  multiline,
  optional,
  Ref,
  required,
} from '../schema.ts';

const type = choice([...eventTypes], 'eventTypeUnknown', 'The type of events.');
const source = body(
  { type: required(type, 'eventTypeMissing') },
  { description: 'A type of events.', examples: [{ type: 'ip_policy_updated.v0' }] },
);
const sourceRead = Type.Object(
  { type: Type.String(), uri: Type.String({ description: 'URL of the resource.' }) },
  { $id: 'EventSource', description: 'A type of events.' },
);

const prefixes = ['ed'];

const write = body(
  {
    metadata: optional(
      multiline(
        characters(4096, 'eventSubscriptionMetadataTooLong', 'A text for machines, of any content.', {
          default: '',
        }),
      ),
    ),
    description: optional(
      characters(255, 'eventSubscriptionDescriptionTooLong', 'A text for people.', { default: '' }),
    ),
    sources: optional(
      Type.Array(source, {
        uniqueItems: true,
        default: [],
        description: 'The types of events that are sent, each at most once.',
      }),
    ),
    destination_ids: optional(
      Type.Array(idOf(prefixes, 'An event destination.'), {
        maxItems: 32,
        uniqueItems: true,
        default: [],
        'x-error': 'eventDestinationCount',
        description: 'The destinations, each at most once.',
      }),
    ),
  },
  { examples: [{ description: 'Changes of policies', sources: [{ type: 'ip_policy_created.v0' }] }] },
);

type Fields = Input<typeof write>;

const sources: StoredElements<EventSubscriptionDocument, Input<typeof source>> = {
  name: 'sources',
  parameter: 'subscription_id',
  key: 'type',
  schemaName: 'EventSource',
  summary: 'Sources of an event subscription',
  one: 'a source of an event subscription',
  create: source,
  update: body({}, { description: 'Nothing of it can change.', examples: [{}] }),
  read: sourceRead,
  missing: 'eventSourceMissing',

  keys({ sources }) {
    return sources;
  },

  add(current, { type }) {
    if (current.sources.includes(type))
      throw new Problem('eventSourceRepeated', { type }, { field: '/type' });
    return { ...current, sources: [...current.sources, type] };
  },

  remove(current, key) {
    return { ...current, sources: current.sources.filter((type) => type !== key) };
  },

  show({ id }, key, context) {
    return showSource(id, key, context);
  },
};

export const eventSubscription: StoredKind<EventSubscriptionDocument, Fields, Fields> = {
  source: 'stored',
  name: 'event_subscription',
  eventStem: 'event_subscription',
  prefix: 'esb',
  path: '/event_subscriptions',
  listKey: 'event_subscriptions',
  schemaName: 'EventSubscription',
  summary: 'Event subscriptions',
  description: 'Types of events that are sent, and their destinations.',
  group: 'Events',
  one: 'an event subscription',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create: write,
  update: write,
  read: Type.Object({
    ...common,
    sources: Type.Array(sourceRead),
    destinations: Type.Array(Ref, { description: 'The destinations.' }),
  }),
  modules: [],
  elements: sources,
  references: [
    {
      field: 'destination_ids.*',
      prefixes,
      wrongPrefix: 'referenceOfWrongKind',
      unknown: 'eventDestinationUnknown',
      binding: true,
    },
  ],

  parse({ description = '', metadata = '', sources = [], destination_ids = [] }) {
    return {
      body: {
        description,
        metadata,
        sources: typesOf(sources),
        destination_ids: withoutRepeats(destination_ids),
      },
    };
  },

  merge({ body: current }, { sources, destination_ids, ...patch }) {
    return {
      body: {
        ...current,
        ...patch,
        sources: sources === undefined ? current.sources : typesOf(sources),
        destination_ids:
          destination_ids === undefined ? current.destination_ids : withoutRepeats(destination_ids),
      },
    };
  },

  show({ id, body: { sources, destination_ids } }, context) {
    return {
      sources: sources.map((type) => showSource(id, type, context)),
      destinations: destination_ids.map((destination) => context.ref(destination)),
    };
  },
};

function showSource(subscription: string, type: string, { ref }: ShowContext): JsonObject {
  return { type, uri: `${ref(subscription).uri}/sources/${type}` };
}

function typesOf(sources: readonly Input<typeof source>[]): readonly EventType[] {
  const types = sources.map(({ type }) => type);
  refuseRepeats(types, (type, at) => {
    throw new Problem('eventSourceRepeated', { type }, { field: `/sources/${at}/type` });
  });
  return types;
}

function withoutRepeats(ids: readonly string[]): readonly string[] {
  refuseRepeats(ids, (id, at) => {
    throw new Problem('eventDestinationRepeated', { id }, { field: `/destination_ids/${at}` });
  });
  return ids;
}

function refuseRepeats<Item>(items: readonly Item[], refuse: (item: Item, at: number) => never): void {
  const seen = new Set<Item>();
  items.forEach((item, at) => {
    if (seen.has(item)) refuse(item, at);
    seen.add(item);
  });
}
