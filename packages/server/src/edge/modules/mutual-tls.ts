/**
 * The mutual TLS module, as far as requests see it: what the visitor's certificate says goes on to the upstream. Never that it
 * says what was not verified, nor what a visitor wrote. The handshake asks for it: listeners/client-verification.ts.
 */
import type { SwitchModule } from '../../documents/index.ts';
import type { ConnectionFacts } from '../sites/facts.ts';
import type { Fields, Guard, HeadEdit } from '../sites/site.ts';
import type { RouteParts } from './module.ts';

/** It stands on sites as a whole, and so is not in the list of routes' modules. */
export function mutualTlsParts(module: SwitchModule | null): RouteParts {
  return module?.enabled === true ? { guards: [isShown], requestEdits: [subject] } : {};
}

/** The handshake has seen to it already: this is for whatever comes here on another way. */
const isShown: Guard = {
  name: 'mutual_tls',
  reads: 'connection',
  check: ({ tls }) => (tls?.clientCertificate == null ? 'clientCertificateMissing' : null),
};

const subject: HeadEdit = {
  // What clients send by these names is removed from every request.
  remove: new Set(),
  readsRequest: true,
  add: ({ connection }) => subjectFields(connection),
};

/** Without those of which the certificate says nothing. */
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
