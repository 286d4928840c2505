import { type Sample, text, unset } from './sample.fixture.ts';

export const edgeSamples: readonly Sample[] = [
  {
    kind: 'tls_edge',
    body: () => ({}),
    shown: {
      ...unset,
      hostports: [],
      backend: null,
      ip_restriction: null,
      mutual_tls: null,
      tls_termination: null,
    },
    patches: {
      ...text,
      tls_termination: {
        send: { terminate_at: 'edge', min_version: '1.3' },
        shown: { enabled: true, terminate_at: 'edge', min_version: '1.3' },
      },
    },
    tooLong: { description: 'edgeDescriptionTooLong', metadata: 'edgeMetadataTooLong' },
    wrongTypes: { hostports: 'a.example.com:443', backend: [], tls_termination: 'edge', mutual_tls: true },
  },
];
