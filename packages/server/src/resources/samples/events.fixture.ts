/** A good body of each kind of the events. */
import { type Sample, text, unset } from './sample.fixture.ts';

const none = {
  delivery_stream: null,
  stream: null,
  log_group: null,
  s3: null,
  monitoring: null,
  azure_logs_ingestion: null,
};

export const eventSamples: readonly Sample[] = [
  {
    kind: 'event_destination',
    body: () => ({ format: 'json', target: { monitoring: { api_key: 'k3y', service: 'edge' } } }),
    shown: {
      ...unset,
      format: 'json',
      target: { ...none, monitoring: { api_key: '', tags: '', service: 'edge', site: '' } },
    },
    patches: {
      ...text,
      format: { send: 'json', shown: 'json' },
      target: {
        send: { monitoring: { tags: 'env:test' } },
        shown: { ...none, monitoring: { api_key: '', tags: 'env:test', service: '', site: '' } },
      },
    },
    tooLong: {
      description: 'eventDestinationDescriptionTooLong',
      metadata: 'eventDestinationMetadataTooLong',
    },
    wrongTypes: { format: 1, target: 'monitoring', description: {} },
  },
  {
    kind: 'event_subscription',
    body: async ({ create }) => ({
      sources: [{ type: 'ip_policy_created.v0' }],
      destination_ids: [
        (await create('event_destination', { format: 'json', target: { monitoring: { api_key: 'k3y' } } }))
          .id,
      ],
    }),
    shown: { ...unset, sources: undefined, destinations: undefined },
    patches: { ...text, sources: { send: [], shown: [] } },
    wrongTypes: { sources: 'ip_policy_created.v0', destination_ids: {}, metadata: 1 },
  },
];
