/** Settings of one source: flags, variables, the config file. */

export interface Source {
  readonly server?: string;
  readonly authtoken?: string;
  /** Path of a PEM file, already resolved. */
  readonly ca?: string;
  /** Fingerprint of the authority, instead of its file. */
  readonly caFingerprint?: string;
  /** The most connections, as it was written. */
  readonly connections?: string;
  /** The inspector's address: `HOST:PORT` or `false`. */
  readonly inspect?: string;
  /** Path of the config file that was named. */
  readonly config?: string;
  readonly domain?: string;
  readonly address?: string;
  readonly label?: readonly string[];
  readonly metadata?: string;
}
