/**
 * `underpass login`: requests the server's address and token, finds its authority, tries them, and stores them.
 * Invariant: only a working login is stored.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { PinError } from '@underpass/client/pinned-authority';
import { Cancelled, Prompt } from '@underpass/wire/prompt';
import { InvalidInput, parseServer } from '../address.ts';
import { adviceOf, isOfPin } from '../advice.ts';
import { readBootstrap } from '../bootstrap.ts';
import { type CommandPlace, commandAt } from '../command-line.ts';
import { defaultConfigPath, type Login, readLogin } from '../config-file.ts';
import { withSettings } from '../config-text.ts';
import { printable, printableMessage } from '../printable.ts';
import { writePrivateFile } from '../private-file.ts';
import { reasonOf } from '../reason.ts';
import { Refused } from '../refused.ts';
import { type Authority, authorityOf, fromEnvironment } from '../settings.ts';
import type { Source } from '../source.ts';
import { readText } from '../text-file.ts';
import { readFingerprint } from '../trust.ts';
import { tryService } from '../try-service.ts';
import { type ChosenAuthority, chooseAuthority, NONE, UntrustedAuthority } from './login-authority.ts';
import { authorityName, authorityPath, replaceAuthority } from './stored-authority.ts';

export interface LoginFlags {
  readonly server?: string;
  /** `-`: the first line of stdin. */
  readonly authtoken?: string;
  /** Path, or `none` for the authorities that this machine trusts anyway. */
  readonly ca?: string;
  readonly caFingerprint?: string;
  readonly config?: string;
}

/** Resolves with the exit code. Throws InvalidInput; rejects with Cancelled. */
export async function login(flags: LoginFlags): Promise<number> {
  const path = resolve(flags.config ?? defaultConfigPath(process.env));
  const wanted = await completed(flags, path);
  if (wanted === null) return 1;
  const { server, authtoken, authority } = wanted;
  const text = existsSync(path) ? readText(path, 'The config file') : '';
  const ca = authority.isOfServer ? authorityName(server) : authority.file;
  // First: what cannot be stored need not be tried.
  const stored = withSettings(text, { server, authtoken, ca, 'ca-fingerprint': undefined });
  const service = { server, authtoken, ca: authority.ca, caFile: authority.file };
  const welcome = await orRefusal(server, () => tryService(service, new AbortController().signal));
  if (welcome === null) return 1;
  const pem = authority.isOfServer ? authority.ca : undefined;
  replaceAuthority(authorityPath(path, server), pem, () => writePrivateFile(path, stored));
  console.log(`Logged in at ${server}, region ${printable(welcome.region)}.`);
  console.log(`Stored in ${path}, which only you can read.`);
  return 0;
}

interface Wanted {
  readonly server: string;
  readonly authtoken: string;
  readonly authority: ChosenAuthority;
}

/**
 * Requests missing values on a terminal; elsewhere keeps the known ones. Returns null after a refusal, which has been
 * printed.
 */
async function completed(flags: LoginFlags, path: string): Promise<Wanted | null> {
  const logins = [readLogin(path), readBootstrap(process.cwd())].filter((it) => it !== null);
  const variables = readVariables();
  const given = readAuthority(authorityOf(flags) ?? authorityOf(variables));
  const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true;
  using prompt = canAsk ? new Prompt(process.stdin, process.stderr, InvalidInput) : null;
  const server = await answerOf(SERVER, flags.server ?? variables.server, logins[0]?.server, prompt);
  // A token is for its own server: another one must not be shown it.
  const known = logins.find((it) => it.server === server) ?? null;
  const token = () => answerOf(TOKEN, ...tokenSources(flags, variables.authtoken, known, prompt), prompt);
  // Without a terminal, a missing value is reported before the server is reached.
  const early = prompt === null ? await token() : null;
  const kept = authorityPath(path, server);
  const pinned = existsSync(kept) ? kept : null;
  const authority = await orRefusal(server, () => chooseAuthority({ server, given, known, pinned, prompt }));
  return authority === null ? null : { server, authtoken: early ?? (await token()), authority };
}

/** Variables of this command: `none` as an authority is no path. */
function readVariables(): Source {
  const variables = fromEnvironment(process.env, process.cwd());
  return process.env.UNDERPASS_CA === NONE ? { ...variables, ca: NONE } : variables;
}

/** Checks a fingerprint, and resolves a path from the current folder. Throws InvalidInput. */
function readAuthority(given: Authority | null): Authority | null {
  if (given?.caFingerprint !== undefined) return { caFingerprint: readFingerprint(given.caFingerprint) };
  if (given === null || given.ca === NONE) return given;
  return { ca: resolve(given.ca) };
}

/** Returns the token that is given, and the one that is known. On a terminal `-` requests a prompt. */
function tokenSources(
  { authtoken }: LoginFlags,
  variable: string | undefined,
  known: Login | null,
  prompt: Prompt | null,
): readonly [given: string | undefined, known: string | undefined] {
  if (authtoken !== '-') return [authtoken ?? variable, known?.authtoken];
  return prompt === null ? [firstLine(readText(0, 'stdin')), undefined] : [undefined, undefined];
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
async function orRefusal<T>(server: string, act: () => Promise<T>): Promise<T | null> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof InvalidInput || error instanceof Cancelled) throw error;
    const [message, advice] = refusalOf(error, server);
    console.error(`underpass: ${printableMessage(message)}\n${advice}\nNothing was stored.`);
    return null;
  }
}

/** Returns the message and the remedy. */
function refusalOf(error: unknown, server: string): readonly [string, string] {
  if (error instanceof UntrustedAuthority) return [`${error.message} ${error.code}`, error.advice];
  const refused = error instanceof PinError ? new Refused('certificate', error.message, error.code) : error;
  if (refused instanceof Refused) {
    const code = isOfPin(refused.code ?? '') ? ` ${refused.code}` : '';
    return [`${refused.message}${code}`, adviceOf(refused, Date.now(), server)];
  }
  return [`${withPort(server)} cannot be reached: ${reasonOf(error)}.`, unreachable({ server })];
}

/** Adds the default port, so that messages name it. */
function withPort(server: string): string {
  const { host, port } = parseServer(server);
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function unreachable(service: CommandPlace): string {
  const diagnose = commandAt('diagnose', service);
  return `Check the address, and that the server runs: ${diagnose} shows which step of the connection fails.`;
}
