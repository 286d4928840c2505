/**
 * The page after a logout.
 * Invariant: it loads nothing from other hosts.
 */

/** `more`: HTML behind it. */
export function loggedOutPage(more = ''): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Logged out</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 15vh auto; padding: 0 1.5rem }
h1 { font-size: 1.5rem; margin: 0 0 .5rem }
</style>
<h1>You are logged out.</h1>
${more}
</html>
`;
}
