/** The link into the console that a started daemon prints at a terminal. */
import { operate, type Place } from './run.ts';

/** Returns the URL; null if there is no account or user that it could be for. Never rejects. */
export async function consoleLink(place: Place): Promise<string | null> {
  const request = { operation: 'console-link', account: null, user: null, dataDir: place.dataDir } as const;
  try {
    const { url } = await operate(place, request);
    return typeof url === 'string' ? url : null;
  } catch {
    // Such as several accounts: "underpassd console link" reports it.
    return null;
  }
}
