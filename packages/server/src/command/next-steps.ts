/** The next steps for a user at a terminal after the daemon has started. Each command works unchanged, from any directory. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Joining, joinCommand, joiningFile, parseJoining } from '../core/joining.ts';
import { connectAddress } from '../core/service-names.ts';
import type { Settings } from '../core/settings.ts';

export interface NextStepsFacts {
  readonly baseUrl: string;
  /** Absolute. */
  readonly dataDir: string;
  /** True if bootstrap.json is in the data dir: a daemon that came second to a database has none. */
  readonly hasKeys: boolean;
  /** Address for agents, as HOST:PORT. */
  readonly connectAddr: string;
  /** Facts by which another machine joins; null if the daemon has not published them. */
  readonly joining: Joining | null;
  /** A link that signs in to the console; null if there is none. */
  readonly signIn: string | null;
  /** The checkout that the daemon runs from; null when it was installed some other way. */
  readonly checkout: string | null;
}

/** The facts on this machine. */
export function nextStepsFacts(settings: Settings, signIn: string | null): NextStepsFacts {
  const { baseUrl, dataDir } = settings;
  const root = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');
  const isCheckout = existsSync(join(root, 'packages', 'agent', 'bin', 'underpass.js'));
  return {
    baseUrl,
    dataDir,
    hasKeys: existsSync(join(dataDir, 'bootstrap.json')),
    connectAddr: connectAddress(settings),
    joining: joiningIn(dataDir),
    signIn,
    checkout: isCheckout ? root : null,
  };
}

/** Returns how a machine joins, as the daemon published it; null if it has not. */
export function joiningIn(dataDir: string): Joining | null {
  try {
    return parseJoining(readFileSync(joiningFile(dataDir), 'utf8'));
  } catch {
    return null;
  }
}

export function nextSteps(facts: NextStepsFacts): string {
  const ca = join(facts.dataDir, 'ca.pem');
  const steps = [
    ...(facts.signIn === null
      ? []
      : [['See what happens, in a browser (the link works once, for 10 minutes)', facts.signIn] as const]),
    ['Browse and try the API', `${facts.baseUrl}/docs`],
    ['Give a service on port 3000 a public URL', agentCommand(facts)],
    ...(facts.joining === null
      ? []
      : [['Join another machine, which prompts for an authtoken', joinCommand(facts.joining)] as const]),
    [
      'Trust its certificates (a browser imports the file as an authority)',
      `curl --cacert ${quoted(ca)} ${facts.baseUrl}/docs`,
    ],
    facts.hasKeys
      ? ['API key and authtoken', join(facts.dataDir, 'bootstrap.json')]
      : ['API key and authtoken', 'in bootstrap.json of the daemon that was first on this database'],
  ] as const;
  return steps.map(([what, how]) => `  ${what}:\n    ${how}\n`).join('');
}

/** A checkout has a local agent, which npx finds. Anywhere else npx would search a registry for a package of that name. */
function agentCommand(facts: NextStepsFacts): string {
  const { dataDir, checkout } = facts;
  const directory = dirname(dataDir);
  // The agent reads ./data/bootstrap.json by itself.
  const findsKeys = facts.hasKeys && basename(dataDir) === 'data';
  if (findsKeys && directory === checkout) return `cd ${quoted(directory)} && npx underpass http 3000`;
  const agent = checkout === null ? 'underpass' : `npm exec --prefix ${quoted(checkout)} -- underpass`;
  if (findsKeys) return `cd ${quoted(directory)} && ${agent} http 3000`;
  const place = `--server ${facts.connectAddr} --ca ${quoted(join(dataDir, 'ca.pem'))}`;
  return `${agent} http 3000 ${place} --authtoken ${tokenOf(facts)}`;
}

/** The shell reads it out of the file: no secret is shown. */
function tokenOf({ dataDir, hasKeys }: NextStepsFacts): string {
  if (!hasKeys) return '"$UNDERPASS_AUTHTOKEN"';
  const file = quoted(join(dataDir, 'bootstrap.json'));
  return `"$(sed -n 's/.*"authtoken": "\\(.*\\)".*/\\1/p' ${file})"`;
}

/** Quotes a path for a shell. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
