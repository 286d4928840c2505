/** A record of a request that went well. */
import { type Hostname, parseHostname } from '../../core/names/hostname.ts';
import type { ExchangeRecord } from './exchange-record.ts';

export const visit: ExchangeRecord = {
  kind: 'http',
  site: 'edghts_1',
  account: 'ac_1',
  route: 'edghtsrt_1',
  backend: 'bkdtg_1',
  servedBy: 'tn_1',
  credential: 'cr_1',
  endpoint: '',
  connection: {
    clientAddr: '192.0.2.1:5000',
    serverAddr: '[2001:db8::1]:443',
    serverName: parseHostname('a.example.com') as Hostname,
    startedAt: new Date('2030-01-02T03:04:05.678Z'),
    ja4: 'a fingerprint',
    tls: { version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', clientCertificate: null },
  },
  method: 'GET',
  path: '/here',
  query: '',
  status: 200,
  bytesIn: 1,
  bytesOut: 2,
  heads: null,
  isReused: false,
  bytesSaved: 0,
  durationMs: 1.23456,
  firstByteMs: 1,
  decisions: new Map([['ip_restriction', 'allow']]),
  visitors: new Map(),
  error: null,
  fault: null,
  reason: null,
  to: null,
};
