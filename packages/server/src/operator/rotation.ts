/**
 * Replaces the sealing master key with a new one, while the daemon serves.
 * Invariant: no key is dropped while a stored value needs it. After a crash at any point, the keys in the file open
 * every value.
 * The new key is in the file, before the old one, before any value is sealed under it. Then every sealed value is
 * written anew. The old key is removed when no value is sealed under it. A process that starts with several keys in
 * the file continues the rotation.
 */
import type { DocumentStore, StoredDocument } from '../documents/index.ts';
import {
  loadMasterKeys,
  MASTER_KEY_VARIABLE,
  type MasterKeys,
  newMasterKey,
  saveMasterKeys,
} from '../pki/master-key.ts';
import type { Sealer } from '../pki/seal.ts';
import { ConflictError, type JsonObject } from '../store/store.ts';
import { OperatorError } from './operator-error.ts';
import { changeSealed, SEALED_KINDS, type SealedKind, sealedIn } from './sealed-fields.ts';

/** Written at once; others' writes go in between. */
const BATCH = 50;

export interface RotationOptions {
  readonly store: DocumentStore;
  readonly sealer: Sealer;
  readonly dataDir: string;
  /** True if only this process seals. Otherwise no process may drop a key without the others. */
  readonly isAlone: boolean;
  /** Resolves when nothing is under way any more that was sealed before it was called. */
  readonly quiesce: () => Promise<void>;
  /** Called with the reason if the old key is still needed; the next start continues. */
  readonly onError: (error: unknown) => void;
}

export class Rotation {
  readonly #options: RotationOptions;
  #isRunning = false;
  #finishing: Promise<void> = Promise.resolve();

  constructor(options: RotationOptions) {
    this.#options = options;
  }

  /** Answers when everything that is stored is sealed under the new key; the old one goes a while later. Rejects with OperatorError. */
  async rotate(): Promise<JsonObject> {
    if (this.#isRunning)
      throw new OperatorError(
        'a rotation is under way already: wait until it ends, then try again if the key must change once more',
      );
    this.#isRunning = true;
    try {
      const keys = await this.#begin();
      const secrets = await this.#resealAll();
      if (this.#mayDrop(keys)) this.#finishing = this.#finish(this.#options.quiesce);
      else this.#isRunning = false;
      return { secrets, former_keys: keys.length - 1, dropped: this.#mayDrop(keys) };
    } catch (error) {
      this.#isRunning = false;
      throw error;
    }
  }

  /** Goes on with a rotation that a former process began. For the start, when nothing is under way. Never rejects. */
  async resume(): Promise<void> {
    try {
      if (this.#mayDrop(await this.#load())) await this.#finish(async () => {});
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Resolves when nothing is being done. */
  async idle(): Promise<void> {
    await this.#finishing;
  }

  async #begin(): Promise<MasterKeys> {
    const keys = await this.#load();
    if (keys.length > 1) return keys;
    if (!this.#options.isAlone || this.#isInEnvironment) throw new OperatorError(BY_HAND);
    const rotated: MasterKeys = [newMasterKey(), ...keys];
    await saveMasterKeys(this.#options.dataDir, rotated);
    this.#options.sealer.use(...rotated);
    return rotated;
  }

  async #finish(quiesce: () => Promise<void>): Promise<void> {
    this.#isRunning = true;
    try {
      await quiesce();
      while ((await this.#resealAll()) > 0);
      const [current] = await this.#load();
      await saveMasterKeys(this.#options.dataDir, [current]);
      this.#options.sealer.use(current);
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#isRunning = false;
    }
  }

  #mayDrop(keys: MasterKeys): boolean {
    return keys.length > 1 && this.#options.isAlone && !this.#isInEnvironment;
  }

  get #isInEnvironment(): boolean {
    return process.env[MASTER_KEY_VARIABLE] !== undefined;
  }

  #load(): Promise<MasterKeys> {
    return loadMasterKeys({ dataDir: this.#options.dataDir, env: process.env, inUse: true });
  }

  /** Answers how many values it sealed anew. */
  async #resealAll(): Promise<number> {
    let count = 0;
    for await (const { documents } of this.#options.store.scan(SEALED_KINDS)) {
      for (let at = 0; at < documents.length; at += BATCH) {
        const counts = documents.slice(at, at + BATCH).map((document) => this.#reseal(document));
        for (const changed of await Promise.all(counts)) count += changed;
      }
    }
    return count;
  }

  async #reseal(document: StoredDocument<SealedKind>): Promise<number> {
    const { store, sealer } = this.#options;
    let count = 0;
    const known = new Set<string>();
    const body: JsonObject = changeSealed(document, (sealed, context) => {
      known.add(sealed);
      if (sealer.isCurrent(sealed)) return sealed;
      count += 1;
      return sealer.seal(sealer.open(sealed, context), context);
    });
    if (sealedIn(document.body).some((sealed) => !known.has(sealed) && !sealer.isCurrent(sealed)))
      throw new OperatorError(
        `${document.id} has a secret that this version does not know, sealed under a former key: both keys stay. Rotate with the newer version that wrote it.`,
      );
    if (count === 0) return 0;
    const { id, revision } = document;
    try {
      await store.write(() => [{ op: 'rewrite', id, revision, body }]);
    } catch (error) {
      // Changed or deleted meanwhile: the next pass looks again.
      if (!(error instanceof ConflictError && error.conflict.reason === 'stale')) throw error;
    }
    return count;
  }
}

const BY_HAND = `the master key is in ${MASTER_KEY_VARIABLE}, or other daemons on the database have it, too: change it in steps, on each daemon before the next step.
1. Make a key (openssl rand -hex 32) and put it after the old one: on a line of its own in every master.key, or after a comma in the variable. Restart: every daemon opens what either sealed.
2. Put the new one first, and restart: every daemon seals under the new one.
3. Run this command again: it seals everything anew.
4. Take the old one away, and restart.`;
