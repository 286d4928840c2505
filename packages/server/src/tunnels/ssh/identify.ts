/**
 * Finds the credential of an SSH key, or the one that a user certificate names.
 * Invariant: a certificate is valid in the account of its authority only, and not after its deletion.
 */
import { findOwner } from '../../access/owners.ts';
import { type CredentialGrant, storedRules } from '../../access/tokens.ts';
import { contains, isCidrFault, parseCidr } from '../../core/ip/cidr.ts';
import { parseIpAddress } from '../../core/ip/ip-address.ts';
import type { DocumentStore, StoredDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { fingerprint, formatPublicKey, type SshCertificate } from '../../pki/ssh/index.ts';
import type { Offered } from '../../ssh/authentication.ts';
import { accountName } from '../credentials.ts';
import type { FollowedCredentials } from '../followed-credentials.ts';
import { shown } from '../options/fields.ts';

export interface SshGrant extends CredentialGrant {
  readonly accountName: string;
  /** The id of the certificate; null without one. */
  readonly certificate: string | null;
  /** Command that a certificate forces; null: the client's command. */
  readonly forcedCommand: string | null;
  readonly mayHaveTerminal: boolean;
}

export interface Arriving extends Pick<Offered, 'key' | 'certificate'> {
  readonly ip: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type Documents = Pick<DocumentStore, 'get' | 'findName'>;
type Credential = StoredDocument<'ssh_credential'>;

/** Answers a Problem for who is not let in. `authorities` are followed: those that another daemon made are known a moment later. */
export async function identify(
  documents: Documents,
  authorities: Pick<FollowedCredentials, 'sshAuthority'>,
  arriving: Arriving,
): Promise<SshGrant | Problem> {
  const { certificate } = arriving;
  if (certificate === null) {
    const value = fingerprint(arriving.key);
    const holder = await documents.findName({ kind: 'ssh_key', value });
    const credential = holder === null ? null : await sshCredential(documents, holder.id);
    if (credential === null) return new Problem('sshKeyUnknown', { fingerprint: value });
    const unbound = { certificate: null, forcedCommand: null, mayHaveTerminal: true };
    return grantOf(documents, credential, unbound);
  }
  const authority = authorities.sshAuthority(formatPublicKey(certificate.authority));
  const refused = (reason: string): Problem =>
    new Problem('sshCertificateRefused', { id: shown(certificate.keyId), reason });
  if (authority === null) return refused('no SSH certificate authority of this service has signed it');
  const fault = faultOf(certificate, arriving);
  if (fault !== null) return refused(fault);
  // The service signs each certificate under its id, so that a deleted one is detected.
  const document = await documents.get(certificate.keyId);
  if (document?.kind !== 'ssh_user_certificate') return refused('it was deleted');
  const credential = await namedBy(documents, certificate, authority.account);
  if (credential === null)
    return refused(
      'none of its principals is the id of an SSH credential of the account whose authority signed it',
    );
  return grantOf(documents, credential, {
    certificate: document.id,
    forcedCommand: certificate.criticalOptions['force-command'] ?? null,
    mayHaveTerminal: certificate.extensions['permit-pty'] !== undefined,
  });
}

async function grantOf(
  documents: Documents,
  { id, account, body }: Credential,
  bounds: Pick<SshGrant, 'certificate' | 'forcedCommand' | 'mayHaveTerminal'>,
): Promise<SshGrant | Problem> {
  const owner = await findOwner(documents, account, body.owner_id);
  if (owner?.active !== true) return new Problem('sshOwnerInactive');
  const acl = storedRules(body.acl);
  return { account, credential: id, acl, accountName: await accountName(documents, account), ...bounds };
}

/** The first of the principals that is one. */
async function namedBy(
  documents: Documents,
  { principals }: SshCertificate,
  account: string,
): Promise<Credential | null> {
  for (const principal of principals.filter((name) => name.startsWith('sshcr_'))) {
    const credential = await sshCredential(documents, principal);
    if (credential?.account === account) return credential;
  }
  return null;
}

async function sshCredential(documents: Documents, id: string): Promise<Credential | null> {
  const document = await documents.get(id);
  return document?.kind === 'ssh_credential' ? document : null;
}

/**
 * Returns the reason why a certificate is not valid here and now, as OpenSSH would have it (PROTOCOL.certkeys); null:
 * it is.
 */
function faultOf(certificate: SshCertificate, { ip, now }: Arriving): string | null {
  const { role, validAfter, validBefore, criticalOptions } = certificate;
  if (role !== 'user') return 'it is the certificate of a host';
  const seconds = BigInt(Math.floor(now / 1000));
  if (seconds < validAfter) return 'it is not valid yet';
  if (seconds >= validBefore) return 'it is not valid any more';
  const unknown = Object.keys(criticalOptions).find((name) => !knownOptions.has(name));
  if (unknown !== undefined) return `it has the critical option "${shown(unknown)}", which is not known here`;
  const sources = criticalOptions['source-address'];
  return sources === undefined || isFrom(sources, ip) ? null : `it cannot be used from ${ip}`;
}

const knownOptions: ReadonlySet<string> = new Set(['force-command', 'source-address', 'verify-required']);

/** Tests a list of addresses and networks. An unreadable list contains no address. */
function isFrom(list: string, ip: string): boolean {
  const address = parseIpAddress(ip);
  if (address === null) return false;
  return list.split(',').some((text) => {
    const given = parseCidr(text);
    // An address alone.
    const isAddress = isCidrFault(given) && given.fault === 'mask-missing';
    const range = isAddress ? parseCidr(given.suggestion) : given;
    return !isCidrFault(range) && contains(range, address);
  });
}
