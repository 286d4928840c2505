/** `underpass dashboard`: opens the console of a server in a browser, signed in as the owner of the API key. */
import { spawn } from 'node:child_process';
import { withApi } from '../api/session.ts';
import type { ApiFlags } from '../api/settings.ts';
import { writeAll } from '../api/write-all.ts';

export interface DashboardFlags extends ApiFlags {
  readonly print?: boolean;
}

/** Programs that open a URL, by platform. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

/** Milliseconds after which a program that still runs counts as a browser. */
const RUNS_MS = 3000;

/** Resolves with the exit code. Without a browser it prints the link. Throws InvalidInput. */
export async function runDashboard(flags: DashboardFlags): Promise<number> {
  return await withApi(flags, async (client) => {
    const { url, expires_at } = await client.console.createLink();
    if (flags.print !== true && (await openInBrowser(url))) {
      await writeAll(process.stderr, `Opened ${url.split('#')[0]} in the browser.\n`);
      return 0;
    }
    await writeAll(process.stdout, `${url}\n`);
    await writeAll(process.stderr, `The link signs in once, until ${expires_at}. It is a secret.\n`);
    return 0;
  });
}

/** Resolves with false if no program took the URL. */
async function openInBrowser(url: string): Promise<boolean> {
  const opener = process.env.BROWSER ? ([process.env.BROWSER] as const) : OPENERS[process.platform];
  if (opener === undefined) return false;
  const [program, ...args] = opener;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', () => resolve(false));
  child.once('exit', (code) => resolve(code === 0));
  // A browser itself runs on.
  const timer = setTimeout(() => resolve(true), RUNS_MS);
  const isOpen = await promise;
  clearTimeout(timer);
  child.unref();
  return isOpen;
}
