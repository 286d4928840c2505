/**
 * The operator's certificates for the names of the service, reloaded when their files change.
 * Invariant: an unusable file keeps the former certificate. Invariant: they are not served for names of other owners.
 */
import type { Logger } from 'pino';
import { baseOf, type Hostname, type HostPattern } from '../core/names/hostname.ts';
import type { CertificateExpiry } from './certificate-expiry.ts';
import {
  CertificateFileError,
  type CertificateFiles,
  type FiledCertificate,
  type FileTexts,
  parseFiles,
  readFiles,
} from './certificate-files.ts';
import type { ServerCertificate } from './certificate-source.ts';
import { rootsOf } from './trusted-roots.ts';

/** Milliseconds between checks of the files, which also detect replaced links and directories. */
const lookMs = 3000;

export interface ServiceCertificatesOptions {
  readonly files: readonly CertificateFiles[];
  /** The shared domain: it and all names below are the service's. */
  readonly shared: Hostname;
  /** Its other names, and those that it cannot do without. */
  readonly names: readonly Hostname[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

interface Pair {
  readonly files: CertificateFiles;
  current: FiledCertificate;
  /** Reason why what was there at the last look is not served; '' when it is. */
  fault: string;
  isFaultLogged: boolean;
}

export class ServiceCertificates {
  readonly #options: ServiceCertificatesOptions;
  readonly #pairs: readonly Pair[];
  #looking: Promise<void> = Promise.resolve();
  #changed: () => Promise<void> = async () => {};

  private constructor(options: ServiceCertificatesOptions, certificates: readonly FiledCertificate[]) {
    this.#options = options;
    this.#pairs = options.files.map((files, at) => ({
      files,
      current: certificates[at]!,
      fault: '',
      isFaultLogged: false,
    }));
  }

  /** Rejects with CertificateFileError if a certificate can never be served. An expired one is served with a warning. */
  static async load(options: ServiceCertificatesOptions): Promise<ServiceCertificates> {
    const certificates: FiledCertificate[] = [];
    for (const files of options.files) {
      const certificate = parseServable(files, await readFiles(files), options);
      const fault = dateFault(files, certificate, options.now());
      if (fault !== null) options.log.warn(`${fault}: it is served all the same`);
      certificates.push(certificate);
    }
    const source = new ServiceCertificates(options, certificates);
    source.#tell();
    return source;
  }

  /** Checks the files from now on, until the returned function is called. `changed` is called after a change. */
  watch(changed: () => Promise<void>): () => Promise<void> {
    this.#changed = changed;
    if (this.#pairs.length === 0) return async () => {};
    const timer = setInterval(() => void this.look(), lookMs);
    timer.unref();
    return async () => {
      clearInterval(timer);
      await this.#looking;
    };
  }

  /**
   * Serves the current files to new handshakes. A fault is logged at its second occurrence, because the operator may
   * have written one of two files. Never rejects.
   */
  look(): Promise<void> {
    return this.#enqueue(false);
  }

  /** The same after a signal of the operator: faults are logged at once. Never rejects. */
  readAgain(): Promise<void> {
    return this.#enqueue(true);
  }

  /** Null: none covers the name, or it is not the service's. */
  certificateOf(hostname: Hostname): ServerCertificate | null {
    if (this.#pairs.length === 0 || !isOfService(hostname, this.#options)) return null;
    const valid = this.#pairs.filter(({ current }) => isValidFor(current, hostname));
    const now = this.#options.now();
    const [first] = [...valid.filter(({ current }) => now < current.notAfterMs), ...valid];
    return first?.current.served ?? null;
  }

  expiries(): readonly CertificateExpiry[] {
    return this.#pairs.map(({ files, current }) => ({ name: files.cert, notAfterMs: current.notAfterMs }));
  }

  /** The roots by which clients know these certificates, in PEM. */
  roots(): readonly string[] {
    if (this.#pairs.length === 0) return [];
    return rootsOf(this.#pairs.map(({ current }) => current.chain));
  }

  /** One after the other: an older reading never replaces a newer one. */
  #enqueue(isAsked: boolean): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look(isAsked));
    return this.#looking;
  }

  async #look(isAsked: boolean): Promise<void> {
    let isChanged = false;
    for (const pair of this.#pairs) if (await this.#lookAt(pair, isAsked)) isChanged = true;
    if (!isChanged) return;
    this.#tell();
    await this.#changed().catch((error: unknown) =>
      this.#options.log.error({ err: error }, 'ca.pem cannot be brought up to date'),
    );
  }

  async #lookAt(pair: Pair, isAsked: boolean): Promise<boolean> {
    try {
      const texts = await readFiles(pair.files);
      const { current } = pair;
      const isNew = texts.cert !== current.texts.cert || texts.key !== current.texts.key;
      if (isNew) pair.current = this.#parseCurrent(pair.files, texts);
      pair.fault = '';
      pair.isFaultLogged = false;
      return isNew;
    } catch (error) {
      this.#refused(pair, error instanceof Error ? error.message : String(error), isAsked);
      return false;
    }
  }

  #parseCurrent(files: CertificateFiles, texts: FileTexts): FiledCertificate {
    const certificate = parseServable(files, texts, this.#options);
    const fault = dateFault(files, certificate, this.#options.now());
    if (fault !== null) throw new CertificateFileError(fault);
    return certificate;
  }

  #refused(pair: Pair, fault: string, isAsked: boolean): void {
    const isRepeated = pair.fault === fault;
    if (!isRepeated) pair.isFaultLogged = false;
    pair.fault = fault;
    if (!isAsked && (!isRepeated || pair.isFaultLogged)) return;
    pair.isFaultLogged = true;
    this.#options.log.error(`what was served before is served on: ${fault}`);
  }

  /** Logs the certificates that are served from now on, and the service's names that the local authority signs. */
  #tell(): void {
    const { log, names } = this.#options;
    if (this.#pairs.length === 0) return;
    for (const { files, current } of this.#pairs) {
      const expires_at = new Date(current.notAfterMs).toISOString();
      log.info({ certificate: files.cert, names: current.names, expires_at }, 'serving the certificate');
      if (rootsOf([current.chain]).length === 0) {
        log.warn(
          { certificate: files.cert },
          'no authority that Node trusts has signed this certificate or its intermediates, so ca.pem does not have it: add the root to the end of the file, or set NODE_EXTRA_CA_CERTS',
        );
      }
    }
    const uncovered = names.filter((name) => this.certificateOf(name) === null);
    if (uncovered.length > 0)
      log.warn(
        { names: uncovered },
        'no --tls-cert is valid for these names: they have an ordered certificate, or one of the local authority',
      );
  }
}

function parseServable(
  files: CertificateFiles,
  texts: FileTexts,
  service: ServiceCertificatesOptions,
): FiledCertificate {
  const certificate = parseFiles(files, texts);
  const { names } = certificate;
  const isUseful =
    names.some((name) => isOfService(baseOf(name as HostPattern), service)) ||
    service.names.some((name) => isValidFor(certificate, name));
  if (isUseful) return certificate;
  throw new CertificateFileError(
    `--tls-cert ${files.cert}: is valid for ${names.join(', ') || 'no host name'}, and none of that is ${service.shared}, below it or where the API is; certificates of other names are uploaded through the API`,
  );
}

/** Null when it is valid today. */
function dateFault({ cert }: CertificateFiles, certificate: FiledCertificate, now: number): string | null {
  const { notBeforeMs, notAfterMs } = certificate;
  if (now >= notAfterMs) return `--tls-cert ${cert}: expired at ${new Date(notAfterMs).toISOString()}`;
  if (now < notBeforeMs)
    return `--tls-cert ${cert}: is not valid before ${new Date(notBeforeMs).toISOString()}`;
  return null;
}

function isOfService(hostname: Hostname, { shared, names }: ServiceCertificatesOptions): boolean {
  return hostname === shared || hostname.endsWith(`.${shared}`) || names.includes(hostname);
}

/** Clients no longer take a common name for a host name. */
function isValidFor({ leaf }: FiledCertificate, hostname: Hostname): boolean {
  return leaf.checkHost(hostname, { subject: 'never' }) !== undefined;
}
