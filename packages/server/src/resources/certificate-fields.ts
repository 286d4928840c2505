/** Response fields of certificates, read from their PEM (specification, section 2.17; open points, part B 1.20). */
import { Type } from '../core/type.ts';
import { timestamp } from './schema.ts';

const shown = (description: string) => Type.String({ description });
const list = (description: string) => Type.Array(Type.String(), { description });

/** Fields of every certificate. */
export const authorityFacts = {
  subject_common_name: shown('The common name of whom it is for.'),
  not_before: timestamp('From when on it is valid.'),
  not_after: timestamp('Until when it is valid.'),
  key_usages: list('What its key may be used for.'),
  extended_key_usages: list('What it may be used for.'),
} as const;

/** Further fields of server certificates. */
export const certificateFacts = {
  subject_alternative_names: Type.Object(
    { dns_names: list('Host names.'), ips: list('IP addresses.') },
    { description: 'What it is valid for.' },
  ),
  private_key_type: shown('The type of its key: rsa, ecdsa or ed25519.'),
  issuer_common_name: shown('The common name of who signed it.'),
  serial_number: shown('Its serial number, in lower-case hex.'),
  subject_organization: shown('The organization of whom it is for.'),
  subject_organizational_unit: shown('The organizational unit of whom it is for.'),
  subject_locality: shown('The locality of whom it is for.'),
  subject_province: shown('The province of whom it is for.'),
  subject_country: shown('The country of whom it is for.'),
} as const;
