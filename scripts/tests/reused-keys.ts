/**
 * Loaded into each test process before its tests, except in CI: RSA keys of a process are made a few times and then
 * given out again in turn. One takes as long as a hundred requests. Keys of started daemons are always new.
 */
import crypto, { webcrypto } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** Neighbours differ: a test may compare the keys of a few resources. */
const KEPT = 4;

type Make = (...args: readonly unknown[]) => unknown;

/** Returns `make`, which calls the original `KEPT` times for the same arguments, and then returns those results in turn. */
export function inTurn(make: Make): Make {
  const kept = new Map<string, unknown[]>();
  const calls = new Map<string, number>();
  return (...args) => {
    const key = JSON.stringify(args);
    const made = kept.get(key) ?? [];
    const call = calls.get(key) ?? 0;
    kept.set(key, made);
    calls.set(key, call + 1);
    if (call < KEPT) made.push(make(...args));
    return made[call % KEPT];
  };
}

function isRsa(algorithm: unknown): boolean {
  const { name } = algorithm as { readonly name?: unknown };
  return String(name).startsWith('RSA');
}

/** Replaces the functions of Node that make keys. */
export function reuseRsaKeys(): void {
  const { subtle } = webcrypto;
  const generate = subtle.generateKey.bind(subtle) as Make;
  const rsa = inTurn(generate);
  const replaced: Make = (algorithm, ...rest) => (isRsa(algorithm) ? rsa : generate)(algorithm, ...rest);
  Object.defineProperty(subtle, 'generateKey', { value: replaced });

  const generateSync = crypto.generateKeyPairSync as Make;
  const rsaSync = inTurn(generateSync);
  const replacedSync: Make = (type, ...rest) => (type === 'rsa' ? rsaSync : generateSync)(type, ...rest);
  Object.assign(crypto, { generateKeyPairSync: replacedSync });
  syncBuiltinESMExports();
}

if (isMainThread && process.env.NODE_TEST_CONTEXT !== undefined && process.env.CI !== 'true') reuseRsaKeys();
