/**
 * The mutual TLS module for requests: the subject of the visitor's certificate goes to the upstream. The handshake
 * requests the certificate: listeners/client-verification.ts.
 * Invariant: the fields contain only verified values, never a visitor's own header.
 */
import type { SwitchModule } from '../../documents/index.ts';
import type { ConnectionFacts } from '../sites/facts.ts';
import type { ExplainedGuard, Fields, HeadEdit } from '../sites/site.ts';
import type { RouteParts } from './module.ts';

/** Returns the parts of the module. It belongs to whole sites, so it is not in the list of routes' modules. */
export function mutualTlsParts(module: SwitchModule | null): RouteParts {
  return module?.enabled === true ? { guards: [isShown], requestEdits: [subject] } : {};
}

/** The handshake has seen to it already: this is for whatever comes here on another way. */
const isShown: ExplainedGuard = {
  name: 'mutual_tls',
  reads: 'connection',
  check: verdictOf,
  preview: (facts) => {
    const verdict = verdictOf(facts);
    const why =
      verdict === null ? 'The visitor has a verified certificate.' : 'The visitor has no certificate.';
    return { verdict, why };
  },
};

function verdictOf({ tls }: ConnectionFacts): 'clientCertificateMissing' | null {
  return tls?.clientCertificate == null ? 'clientCertificateMissing' : null;
}

const subject: HeadEdit = {
  // Removes the fields from every request, as clients could send them, too.
  remove: new Set(),
  readsRequest: true,
  add: ({ connection }) => subjectFields(connection),
};

/** Returns the fields of the subject, without those that the certificate lacks. */
function subjectFields({ tls }: ConnectionFacts): Fields {
  const certificate = tls?.clientCertificate;
  if (certificate == null) return [];
  const { commonName, dnsNames, emailAddresses, serialNumber } = certificate;
  const fields: Fields = [
    ['underpass-mtls-subject-cn', commonName],
    ['underpass-mtls-subject-alt-name-dns', dnsNames.join(',')],
    ['underpass-mtls-email-addresses', emailAddresses.join(',')],
    ['underpass-mtls-serial-number', serialNumber],
  ];
  return fields.filter(([, value]) => value !== '');
}
