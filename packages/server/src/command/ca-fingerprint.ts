/** `underpassd ca fingerprint`: reads how a machine joins, as the daemon of the data dir published it. */
import { ForOperator } from '../core/for-operator.ts';
import { type Joining, joinCommand, joiningFile, parseJoining } from '../core/joining.ts';
import { readIfThere } from '../system/files.ts';

/** There is no daemon's file in the data dir, or it cannot be read. */
export class NoJoiningError extends ForOperator {
  override readonly name = 'NoJoiningError';
}

/** Rejects with NoJoiningError. */
export async function readJoining(dataDir: string): Promise<Joining> {
  const file = joiningFile(dataDir);
  const text = await readIfThere(file).catch((error: unknown) => {
    throw new NoJoiningError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  if (text === null)
    throw new NoJoiningError(
      `there is no ${file}: start the daemon there, which writes it, or correct --data-dir`,
    );
  const joining = parseJoining(text);
  if (joining === null)
    throw new NoJoiningError(`${file} is damaged: restart the daemon, which writes it anew`);
  return joining;
}

export function joiningText(joining: Joining): string {
  const fingerprint =
    joining.ca_fingerprint ?? 'none is needed: machines trust the authority of the certificate';
  return `fingerprint  ${fingerprint}\njoin         ${joinCommand(joining)}`;
}

/** The fields of the file, and the line. */
export function joiningJson(joining: Joining): string {
  return JSON.stringify({ ...joining, command: joinCommand(joining) }, null, 2);
}
