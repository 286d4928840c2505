import { type Sample, text, unset } from './sample.fixture.ts';

const tooLong = {
  description: 'backendDescriptionTooLong',
  metadata: 'backendMetadataTooLong',
} as const;

export const backendSamples: readonly Sample[] = [
  {
    kind: 'http_response_backend',
    body: () => ({}),
    shown: { ...unset, body: '', headers: null, status_code: 200 },
    patches: {
      ...text,
      body: { send: 'hi', shown: 'hi' },
      headers: { send: { 'X-One': '1', location: '/' }, shown: { 'x-one': '1', location: '/' } },
      status_code: { send: 503, shown: 503 },
    },
    tooLong,
    wrongTypes: { body: 5, headers: ['a'], status_code: '200', description: ['x'], metadata: {} },
  },
  {
    kind: 'tunnel_group_backend',
    body: () => ({ labels: { app: 'web' } }),
    shown: { ...unset, labels: { app: 'web' }, tunnels: [] },
    patches: { ...text, labels: { send: { app: 'api', zone: 'ü' }, shown: { app: 'api', zone: 'ü' } } },
    tooLong,
    wrongTypes: { labels: 'app=web', description: 1, metadata: true },
  },
];
