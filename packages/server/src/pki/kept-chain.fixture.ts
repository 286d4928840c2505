/**
 * Chains of certificates that many test files use as samples, made once for all of them: an RSA key takes long to make.
 * Tests of the contents or the dates of certificates make their own.
 */
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeChain, type TestChain } from './certificates.fixture.ts';

const FOLDER = fileURLToPath(new URL('../../../../node_modules/.cache/underpass-tests/', import.meta.url));
/** A chain is valid for two days. */
const KEPT_MS = 12 * 60 * 60 * 1000;
const period = Math.floor(Date.now() / KEPT_MS);

/** Returns the same chain for every caller, in each process of a run. */
export function keptChain(host: string, key: 'ec' | 'rsa' = 'ec'): TestChain {
  const file = `${FOLDER}${host}-${key}-${period}.json`;
  return read(file) ?? keepFirst(file, makeChain(host, { key }));
}

/** Files that are tested at once may make it at once: the first one counts, for its makers as well. */
function keepFirst(file: string, chain: TestChain): TestChain {
  const own = `${file}.${process.pid}`;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(own, JSON.stringify(chain), { mode: 0o600 });
  try {
    linkSync(own, file);
    return chain;
  } catch (error) {
    const kept = read(file);
    if (kept === null) throw error;
    return kept;
  } finally {
    rmSync(own);
  }
}

function read(file: string): TestChain | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as TestChain;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
