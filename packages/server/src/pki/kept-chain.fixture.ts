/**
 * Chains of certificates that many test files use as samples, made once for all of them: openssl takes longest to make an RSA key.
 * Never for a test of what is in a certificate, or of its dates: those make their own.
 */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeChain, type TestChain } from './certificates.fixture.ts';

const FOLDER = fileURLToPath(new URL('../../../../node_modules/.cache/underpass-tests/', import.meta.url));
/** A chain is valid for two days. */
const KEPT_MS = 12 * 60 * 60 * 1000;

export function keptChain(host: string, key: 'ec' | 'rsa' = 'ec'): TestChain {
  const file = `${FOLDER}${host}-${key}.json`;
  const kept = read(file);
  if (kept !== null) return kept;
  const chain = makeChain(host, { key });
  mkdirSync(FOLDER, { recursive: true });
  // Files that are tested at once may write it at once, each a whole one.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(chain), { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
  return chain;
}

function read(file: string): TestChain | null {
  const madeAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - madeAt > KEPT_MS) return null;
  return JSON.parse(readFileSync(file, 'utf8')) as TestChain;
}
