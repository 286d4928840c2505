/** Paths that the service keeps for itself on names where visitors log in. Never that one of them reaches a backend there. */

/** Begins a login, whoever is logged in. */
export const loginPath = '/underpass/login';
/** Ends the session of the browser. Where the provider ends its own, too, it sends the visitor back there. */
export const logoutPath = '/underpass/logout';
/** On the name of identity providers, for applications of the operator's. */
export const sharedCallbackPath = '/oauth2/callback';
/** Where visitors come back to from the identity provider. */
export const callbackPath = '/underpass/callback';

export const loginPaths: ReadonlySet<string> = new Set([loginPath, logoutPath, callbackPath]);
