/**
 * The token with which this page uses the API. The agent embeds it in the page if it recognises its own user.
 * Otherwise it follows the # of the address that the agent printed. No server sees that part. The page stores it for
 * other tabs of this origin.
 */

const GIVEN = /^#token=([\w-]+)$/;
const KEPT = 'token';

const embedded = document.querySelector<HTMLMetaElement>('meta[name=token]')?.content ?? '';

/** '' none. */
export const pageToken = embedded || given() || kept();

/** A page that is loaded anew has another one then. */
export const isTokenEmbedded = embedded !== '';

/** Not left in the address, which people show each other. */
function given(): string {
  const [, token = ''] = GIVEN.exec(location.hash) ?? [];
  if (token === '') return '';
  history.replaceState(null, '', '/');
  try {
    localStorage.setItem(KEPT, token);
  } catch {
    // A browser that keeps nothing: it is this tab's alone.
  }
  return token;
}

function kept(): string {
  try {
    return localStorage.getItem(KEPT) ?? '';
  } catch {
    return '';
  }
}
