/** Errors of a start that the operator can mend, with the remedy. */
import type { Config } from '../command/config.ts';
import { ForOperator } from '../core/for-operator.ts';
import type { ListenAddress, Settings } from '../core/settings.ts';
import { MasterKeyError } from '../pki/master-key.ts';
import { SealError } from '../pki/seal.ts';
import { StoreOpenError } from '../store/open-error.ts';
import { StoreRefusedError, StoreUnavailableError, WriteOutcomeUnknownError } from '../store/store.ts';
import { ListenError } from '../system/listen.ts';
import { UnreadableFile } from '../system/named-file.ts';
import { HostCertificateError } from '../tunnels/ssh/host-keys.ts';

/** The daemon cannot start; the message names the cause and the remedy. */
export class StartError extends ForOperator {
  override readonly name = 'StartError';
}

/** The part of the configuration that remedies name. */
export interface StartFacts {
  readonly settings: Pick<Settings, 'dataDir' | 'listen' | 'httpListen' | 'sshListen'>;
  readonly adminListen: ListenAddress | null;
  readonly dnsListen: ListenAddress | null;
  readonly links: Pick<Config['links'], 'listen'>;
}

/** Turns an error that the operator can mend into a sentence with the remedy; returns any other error unchanged. */
export function asStartError(error: unknown, facts: StartFacts): unknown {
  const { dataDir } = facts.settings;
  if (error instanceof ListenError) return new StartError(`${error.message}: ${listenRemedy(error, facts)}`);
  if (error instanceof SealError) {
    return new StartError(
      `${error.message}: put back the master.key that belongs to the data dir ${dataDir}, or set UNDERPASS_MASTER_KEY to what it was`,
    );
  }
  if (
    error instanceof StoreOpenError ||
    error instanceof MasterKeyError ||
    error instanceof HostCertificateError
  ) {
    return new StartError(error.message);
  }
  if (error instanceof StoreRefusedError) {
    return new StartError(
      `the database refuses what the start needs: ${error.message}. Change what it names; another start alone changes nothing`,
    );
  }
  if (error instanceof UnreadableFile) {
    return new StartError(`${error.message}: move it away, or put the file of this installation there`);
  }
  // The first start creates each thing once, even if it is begun several times.
  if (error instanceof StoreUnavailableError || error instanceof WriteOutcomeUnknownError) {
    return new StartError(`the database went away during the start (${error.message}): start again`);
  }
  return asFileError(error, dataDir);
}

const FIRST_OPEN_PORT = 1024;

function listenRemedy(error: ListenError, { settings, adminListen, dnsListen, links }: StartFacts): string {
  const listeners: Readonly<Record<string, ListenAddress | null>> = {
    '--listen': settings.listen,
    '--http-listen': settings.httpListen,
    '--ssh-listen': settings.sshListen,
    '--dns-listen': dnsListen,
    '--link-listen': links.listen,
    '--admin-listen': adminListen,
  };
  const options = Object.entries(listeners)
    .filter(([, address]) => address?.host === error.address && address.port === error.port)
    .map(([option]) => option);
  const option = options[0] ?? Object.keys(listeners).join(', ');
  return error.code === 'EACCES' && error.port < FIRST_OPEN_PORT
    ? `choose a higher port with ${option}, or make a service with "underpassd setup" as root, which may use it`
    : `choose another address with ${option}`;
}

function asFileError(error: unknown, dataDir: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new StartError(
        `the data dir ${dataDir} is not writable (${message}): give this user the right to write there, or choose another with --data-dir`,
      );
    case 'ENOSPC':
      return new StartError(
        `the disk of the data dir ${dataDir} is full (${message}): make room there, or choose another with --data-dir`,
      );
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartError(
        `the data dir ${dataDir} cannot be made (${message}): choose another with --data-dir`,
      );
    default:
      return error;
  }
}
