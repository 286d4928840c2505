/** Sealing of secrets at rest: AES-256-GCM under one master key. Never that an old version of the format no longer opens. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, syncDirectory } from '../files.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const SEALED = /^v1\.([A-Za-z0-9_-]+)$/;
const KEY_TEXT = /^[0-9a-f]{64}$/i;
export const MASTER_KEY_VARIABLE = 'UNDERPASS_MASTER_KEY';

/** The master key cannot be had. The message names where it was looked for and what to do: it is for the operator. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

/** A sealed value cannot be opened: another key, another place, or changed text. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

export class Sealer {
  readonly #master: Buffer;
  readonly #key: Buffer;

  /** `master`: 32 bytes. */
  constructor(master: Buffer) {
    if (master.length !== KEY_BYTES) {
      throw new MasterKeyError(`the master key has ${master.length} bytes; it must have ${KEY_BYTES}`);
    }
    this.#master = master;
    this.#key = this.derive('seal');
  }

  /** `context` is where the secret belongs, e.g. `local_ca/private_key`: moved elsewhere, it does not open. */
  seal(plain: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(context));
    const bytes = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `v1.${bytes.toString('base64url')}`;
  }

  /** Throws SealError. */
  open(sealed: string, context: string): string {
    const text = SEALED.exec(sealed)?.[1];
    const bytes = Buffer.from(text ?? '', 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) {
      throw new SealError(`the secret of ${context} is not a sealed value of a known version`);
    }
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([plain, decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new SealError(
        `the secret of ${context} does not open: it was sealed under another master key, for another place, or was changed since`,
        { cause },
      );
    }
  }

  /** A key of 32 bytes for another purpose, e.g. a MAC; purposes do not share keys (HKDF-SHA-256, RFC 5869). */
  derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#master, '', `underpass/${purpose}`, KEY_BYTES));
  }
}

/**
 * The master key: 64 hex digits from the environment, or else from `<dataDir>/master.key`, which is made on first use.
 * Rejects with MasterKeyError; a key that cannot be read is never replaced, because secrets depend on it.
 */
export async function loadMasterKey(options: {
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether something is sealed already: a new key would open nothing of it, so none is made. */
  readonly inUse?: boolean;
}): Promise<Buffer> {
  const given = options.env[MASTER_KEY_VARIABLE];
  if (given !== undefined) return parseKey(given, `the environment variable ${MASTER_KEY_VARIABLE}`);
  const path = join(options.dataDir, 'master.key');
  try {
    const text = await readIfThere(path);
    if (text === null && options.inUse === true) {
      throw new MasterKeyError(
        `the secrets in the database are sealed under a master key, and ${path} is missing: put back the one that belongs to the database, or set ${MASTER_KEY_VARIABLE}.`,
      );
    }
    return parseKey((text ?? (await createKey(options.dataDir, path))).trim(), path);
  } catch (cause) {
    if (cause instanceof MasterKeyError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MasterKeyError(
      `the master key ${path} can be neither read nor made: ${why}. Make it accessible to this user, or set ${MASTER_KEY_VARIABLE}.`,
      { cause },
    );
  }
}

function parseKey(text: string, where: string): Buffer {
  if (KEY_TEXT.test(text)) return Buffer.from(text, 'hex');
  throw new MasterKeyError(
    `${where} does not hold a master key: 64 hexadecimal digits are expected, ${text.length} characters are there. Put the right key back; without it stored secrets cannot be opened.`,
  );
}

/** Writes the key aside and links it into place: it appears whole, and of two processes that make one, both use the first. */
async function createKey(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(`${randomBytes(KEY_BYTES).toString('hex')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(aside, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await syncDirectory(dataDir);
  } finally {
    await rm(aside, { force: true });
  }
  return readFile(path, 'utf8');
}
