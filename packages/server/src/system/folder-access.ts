/** Judges which other users of the machine may change the files of a folder. */
import { type Stats, statSync } from 'node:fs';

/** Sentences for the operator, without the path; none if only this user and root may change it. `user`: the id of this process. */
export function otherWriters({ mode, uid }: Pick<Stats, 'mode' | 'uid'>, user: number): readonly string[] {
  const rights = (mode & 0o7777).toString(8).padStart(4, '0');
  const faults: string[] = [];
  if (uid !== user && uid !== 0)
    faults.push(`it belongs to the user ${uid}, and this daemon is the user ${user}`);
  if ((mode & 0o002) !== 0) faults.push(`every user may write there (mode ${rights})`);
  // Volumes of containers have the group of the container, and this bit.
  else if ((mode & 0o020) !== 0 && (mode & 0o2000) === 0)
    faults.push(`its group may write there (mode ${rights})`);
  return faults;
}

/** Throws the system's error. None on systems without users. */
export function otherWritersOf(path: string): readonly string[] {
  const user = process.geteuid?.();
  return user === undefined ? [] : otherWriters(statSync(path), user);
}
