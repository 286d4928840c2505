/**
 * The libraries for certificates and XML, loaded at their first use, because they take a quarter of a start.
 * Invariant: their users need not wait.
 */

import { createRequire } from 'node:module';
import type * as X509 from '@peculiar/x509';
import type * as Xml from '@xmldom/xmldom';

// A bundle has a `require` of its own: scripts/packages/on-demand.ts removes this one.
const require = createRequire(import.meta.url);

let certificates: typeof X509 | null = null;

export function x509(): typeof X509 {
  if (certificates !== null) return certificates;
  // The container that it is built on needs it, and it must come first.
  require('reflect-metadata');
  const library: typeof X509 = require('@peculiar/x509');
  library.cryptoProvider.set(crypto);
  certificates = library;
  return library;
}

export function xml(): typeof Xml {
  return require('@xmldom/xmldom');
}
