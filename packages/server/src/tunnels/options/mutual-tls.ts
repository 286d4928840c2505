/**
 * The option `MutualTLSCA`, of TLS binds `MutualTLSAtEdge`: `{"mutual_tls_ca": base64 of PEM, several joined}`.
 *
 * Invariant: a certificate that is not an authority's is refused.
 */

import type { X509Certificate } from 'node:crypto';
import { Problem } from '../../errors/problem.ts';
import type { AgentMutualTls } from '../../online/agent-modules.ts';
import { readCertificates } from '../../pki/certificate-texts.ts';
import { maxAuthorityPem, readAuthority } from '../../pki/uploaded-authority.ts';
import { textField } from './fields.ts';
import type { ModuleOption } from './option.ts';

const maxAuthorities = 10;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

export const mutualTlsOption: ModuleOption<AgentMutualTls> = {
  option: 'MutualTLSCA',
  asksByPresence: true,
  onBytes: { tls: 'MutualTLSAtEdge' },
  fields: ['mutual_tls_ca'],
  read(sent, { reading }) {
    const encoded = textField(sent, 'mutual_tls_ca', reading);
    const pem = base64.test(encoded) ? Buffer.from(encoded, 'base64').toString('latin1') : '';
    const certificates = pem.length > maxAuthorities * maxAuthorityPem ? null : readAll(pem);
    if (certificates === null || certificates.length < 1 || certificates.length > maxAuthorities)
      throw new Problem('bindAuthorities', { limit: maxAuthorities });
    const authorities = [...new Set(certificates.map(String))];
    const bad = authorities.findIndex((text) => typeof readAuthority(text) === 'string');
    if (bad !== -1) throw new Problem('bindAuthorityUnusable', { place: bad + 1 });
    return { enabled: true, authorities };
  },
};

function readAll(pem: string): readonly X509Certificate[] | null {
  const read = readCertificates(pem);
  return typeof read === 'string' ? null : read.certificates;
}
