/** How long a connection to the server may take to be made. */

/** Beyond this a server that does not answer counts as away. */
const SECONDS = 5;
const MOST_SECONDS = 300;

/** In milliseconds: `connect_timeout` of the URL, which is libpq's parameter, in whole seconds, and not the driver's; null when it is none. */
export function connectTimeoutMs(url: string): number | null {
  const text = /[?&]connect_timeout=([^&]*)/.exec(url)?.[1] ?? String(SECONDS);
  const seconds = /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : MOST_SECONDS + 1;
  return seconds > MOST_SECONDS ? null : seconds * 1_000;
}
