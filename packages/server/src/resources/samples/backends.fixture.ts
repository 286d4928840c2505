/** A good body of each kind of backend. */
import { type Sample, type SampleTarget, text, unset } from './sample.fixture.ts';

const tooLong = {
  description: 'backendDescriptionTooLong',
  metadata: 'backendMetadataTooLong',
} as const;

async function child(on: SampleTarget): Promise<string> {
  return (await on.create('http_response_backend', {})).id;
}

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
    kind: 'failover_backend',
    body: async (on) => ({ backends: [await child(on), await child(on)] }),
    shown: { ...unset, backends: undefined },
    patches: text,
    tooLong,
    wrongTypes: { backends: { bkdhr_1: 1 }, description: 1, metadata: [] },
  },
  {
    kind: 'weighted_backend',
    body: async (on) => ({ backends: { [await child(on)]: 10_000, [await child(on)]: 0 } }),
    shown: { ...unset, backends: undefined },
    patches: text,
    tooLong,
    wrongTypes: { backends: ['bkdhr_1'], description: 1, metadata: [] },
  },
  {
    kind: 'static_backend',
    body: () => ({ address: 'Example.com:443' }),
    shown: { ...unset, address: 'example.com:443', tls: { enabled: false } },
    patches: {
      ...text,
      address: { send: '[2606:4700:0::1]:80', shown: '[2606:4700::1]:80' },
      tls: { send: { enabled: true }, shown: { enabled: true } },
    },
    tooLong,
    wrongTypes: { address: 443, tls: true, description: 1, metadata: [] },
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
