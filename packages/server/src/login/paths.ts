/**
 * Paths of the service on names with logins.
 * Invariant: requests for them never reach a backend.
 */

/** Begins a login, even if a user is logged in. */
export const loginPath = '/underpass/login';
/** Ends the session of the browser. Where the provider ends its own, too, it sends the visitor back there. */
export const logoutPath = '/underpass/logout';
/** Path on the host of identity providers, for the operator's applications. */
export const sharedCallbackPath = '/oauth2/callback';
/** Path of the callback from the identity provider. */
export const callbackPath = '/underpass/callback';

export const loginPaths: ReadonlySet<string> = new Set([loginPath, logoutPath, callbackPath]);
