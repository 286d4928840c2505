/**
 * Checks that a master key opens every sealed value in a backup.
 * Invariant: a backup with lost secrets never counts as made or restored.
 */
import { slicesOf } from '../documents/store.ts';
import { SealError, type Sealer } from '../pki/seal.ts';
import { scanFile } from '../store/databases/open-copy.ts';
import { OperatorError } from './operator-error.ts';
import { changeSealed, SEALED_KINDS } from './sealed-fields.ts';

/** `path`: of the database in a backup. Answers how many secrets there are. Rejects with OperatorError for one that does not open. */
export async function requireOpenable(path: string, sealer: Sealer): Promise<number> {
  let count = 0;
  try {
    for await (const { documents } of slicesOf(scanFile(path, SEALED_KINDS), SEALED_KINDS)) {
      for (const document of documents) {
        changeSealed(document, (sealed, context) => {
          sealer.open(sealed, context);
          count += 1;
          return sealed;
        });
      }
    }
    return count;
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new OperatorError(
      `the master key does not belong to the backup: ${error.message}. Put back the key of that time (master.key, or UNDERPASS_MASTER_KEY). If it was changed while the backup was made, make another one.`,
      {
        cause: error,
      },
    );
  }
}
