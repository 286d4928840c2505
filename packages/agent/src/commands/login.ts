/**
 * `underpass login`: requests the server's address, token and authority, tries them, and stores them.
 * Invariant: only a working login is stored.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidInput, parseServer } from '../address.ts';
import { adviceOf } from '../advice.ts';
import { readBootstrap } from '../bootstrap.ts';
import { readCa } from '../certificate-files.ts';
import { commandAt } from '../command-line.ts';
import { defaultConfigPath, type Login, readLogin } from '../config-file.ts';
import { withSettings } from '../config-text.ts';
import type { Welcome } from '../hello.ts';
import { printable, printableMessage } from '../printable.ts';
import { writePrivateFile } from '../private-file.ts';
import { Prompt } from '../prompt.ts';
import { reasonOf } from '../reason.ts';
import { Refused } from '../refused.ts';
import type { Service } from '../settings.ts';
import { readText } from '../text-file.ts';
import { tryService } from '../try-service.ts';

export interface LoginFlags {
  readonly server?: string;
  /** `-`: the first line of stdin. */
  readonly authtoken?: string;
  /** Path, or `none` for the authorities that this machine trusts anyway. */
  readonly ca?: string;
  readonly config?: string;
}

/** Resolves with the exit code. Throws InvalidInput; rejects with Cancelled. */
export async function login(flags: LoginFlags): Promise<number> {
  const path = resolve(flags.config ?? defaultConfigPath(process.env));
  const wanted = await completed(flags, [readLogin(path), readBootstrap(process.cwd())]);
  const text = existsSync(path) ? readText(path, 'The config file') : '';
  // First: what cannot be stored need not be tried.
  const stored = withSettings(text, { ...wanted });
  const service = {
    ...wanted,
    ca: wanted.ca === undefined ? undefined : readCa(wanted.ca),
    caFile: wanted.ca,
  };
  const welcome = await triedOut(service);
  if (welcome === null) return 1;
  writePrivateFile(path, stored);
  console.log(`Logged in at ${wanted.server}, region ${printable(welcome.region)}.`);
  console.log(`Stored in ${path}, which only you can read.`);
  return 0;
}

/** Requests missing values on a terminal; elsewhere keeps the known ones. */
async function completed(
  { server: serverFlag, authtoken: tokenFlag, ca: caFlag }: LoginFlags,
  known: readonly (Login | null)[],
): Promise<Login> {
  const { UNDERPASS_SERVER, UNDERPASS_AUTHTOKEN, UNDERPASS_CA } = process.env;
  const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true;
  using prompt = canAsk ? new Prompt(process.stdin, process.stderr) : null;
  const logins = known.filter((it) => it !== null);
  const server = await answerOf(
    SERVER,
    serverFlag ?? (UNDERPASS_SERVER || undefined),
    logins[0]?.server,
    prompt,
  );
  // A token is for its own server: another one must not be shown it.
  const same = logins.find((it) => it.server === server);
  const token = tokenFlag === '-' ? firstLine(readText(0, 'stdin')) : tokenFlag;
  const authtoken = await answerOf(
    TOKEN,
    token ?? (UNDERPASS_AUTHTOKEN || undefined),
    same?.authtoken,
    prompt,
  );
  const ca = await answerOf(AUTHORITY, caFlag ?? (UNDERPASS_CA || undefined), same?.ca ?? NONE, prompt);
  return { server, authtoken, ca: ca === NONE ? undefined : ca };
}

/** A prompt. */
interface Question {
  readonly text: string;
  /** Flag of the value, for a run without a terminal. */
  readonly flag: string;
  readonly isSecret: boolean;
  /** Throws InvalidInput. */
  readonly read: (answer: string) => string;
}

const NONE = 'none';
const SERVER: Question = {
  text: 'Address of the server for agents',
  flag: '--server HOST:PORT',
  isSecret: false,
  read(answer) {
    parseServer(answer);
    return answer;
  },
};
const TOKEN: Question = {
  text: 'Token of a tunnel credential, which is not shown',
  flag: '--authtoken TOKEN, or --authtoken - with the token on stdin',
  isSecret: true,
  read(answer) {
    if (answer !== '' && !/\s/.test(answer)) return answer;
    throw new InvalidInput('A token is a text without blanks. Create a tunnel credential to get one.');
  },
};
const AUTHORITY: Question = {
  text: "PEM file of the authority that signed the server's certificate, or none",
  flag: '--ca FILE',
  isSecret: false,
  read(answer) {
    if (answer === NONE) return NONE;
    const path = resolve(answer);
    readCa(path);
    return path;
  },
};

async function answerOf(
  { text, flag, isSecret, read }: Question,
  given: string | undefined,
  known: string | undefined,
  prompt: Prompt | null,
): Promise<string> {
  if (given !== undefined) return read(given);
  if (prompt !== null) {
    const offer = known === undefined ? '' : ` [${isSecret ? beginningOf(known) : known}]`;
    return await prompt.askFor(`${text}${offer}: `, (answer) => read(answer || (known ?? '')), { isSecret });
  }
  if (known !== undefined) return known;
  throw new InvalidInput(`A value is missing, and there is no terminal to enter it. Give ${flag}.`);
}

/** Enough to know which one it is; tokens begin with what is no secret. */
function beginningOf(token: string): string {
  return `${token.slice(0, 4)}...`;
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').trim();
}

/** Returns null after a refusal, which has been printed. */
async function triedOut(service: Service): Promise<Welcome | null> {
  try {
    return await tryService(service, new AbortController().signal);
  } catch (error) {
    const [message, advice] =
      error instanceof Refused
        ? [error.message, adviceOf(error, Date.now(), service.server)]
        : [`${withPort(service.server)} cannot be reached: ${reasonOf(error)}.`, unreachable(service)];
    console.error(`underpass: ${printableMessage(message)}\n${advice}\nNothing was stored.`);
    return null;
  }
}

/** Adds the default port, so that messages name it. */
function withPort(server: string): string {
  const { host, port } = parseServer(server);
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function unreachable(service: Service): string {
  const diagnose = commandAt('diagnose', service);
  return `Check the address, and that the server runs: ${diagnose} shows which step of the connection fails.`;
}
