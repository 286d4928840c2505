/** The option `MutualTLSCA`, of TLS binds `MutualTLSAtEdge`: `{"mutual_tls_ca": base64 of PEM, several joined}`. Never that what is no authority counts as one. */

import { parsePem } from '../../core/pem.ts';
import { Problem } from '../../errors/problem.ts';
import type { AgentMutualTls } from '../../online/agent-modules.ts';
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
    const blocks = pem.length > maxAuthorities * maxAuthorityPem ? null : parsePem(pem);
    const count = blocks?.length ?? 0;
    if (blocks === null || count < 1 || count > maxAuthorities) {
      throw new Problem('bindAuthorities', { limit: maxAuthorities });
    }
    const authorities = [...new Set(blocks.map(({ text }) => text))];
    const bad = authorities.findIndex((text) => typeof readAuthority(text) === 'string');
    if (bad !== -1) throw new Problem('bindAuthorityUnusable', { place: bad + 1 });
    return { enabled: true, authorities };
  },
};
