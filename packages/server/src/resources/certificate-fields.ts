/** Response fields of certificates, read from their PEM (specification, section 2.17; open points, part B 1.20). */
import { Type } from '../core/type.ts';
import { timestamp } from './schema.ts';

const shown = (description: string) => Type.String({ description });
const list = (description: string) => Type.Array(Type.String(), { description });

/** Fields of every certificate. */
export const authorityFacts = {
  subject_common_name: shown('The common name of the subject.'),
  not_before: timestamp('Start of its validity.'),
  not_after: timestamp('End of its validity.'),
  key_usages: list('Permitted uses of its key.'),
  extended_key_usages: list('Permitted uses of the certificate.'),
} as const;

/** Further fields of server certificates. */
export const certificateFacts = {
  subject_alternative_names: Type.Object(
    { dns_names: list('Host names.'), ips: list('IP addresses.') },
    { description: 'The names and addresses that it is valid for.' },
  ),
  private_key_type: shown('The type of its key: rsa, ecdsa or ed25519.'),
  issuer_common_name: shown('The common name of the issuer.'),
  serial_number: shown('Its serial number, in lower-case hex.'),
  subject_organization: shown('The organization of the subject.'),
  subject_organizational_unit: shown('The organizational unit of the subject.'),
  subject_locality: shown('The locality of the subject.'),
  subject_province: shown('The province of the subject.'),
  subject_country: shown('The country of the subject.'),
} as const;
