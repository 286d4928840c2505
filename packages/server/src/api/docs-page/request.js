/** Requests to this very service. The key that was typed in goes with them, and is kept nowhere else. */
/** @import { Json } from './types.ts' */
/** @import { Reference } from './reference.js' */
import { byId } from './dom.js';

/** @typedef {{ readonly method: string, readonly url: string, readonly body: string | null }} Call */
/** @typedef {{ readonly status: number, readonly statusText: string, readonly ms: number, readonly headers: Headers, readonly text: string, readonly json: Json }} Answer */

export function key() {
  return byId('key', HTMLInputElement).value.trim();
}

/**
 * @param {Reference} reference
 * @param {Call} call
 * @returns {Promise<Answer>}
 */
export async function send({ version }, { method, url, body }) {
  const started = performance.now();
  const response = await fetch(url, {
    method,
    body,
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    headers: {
      authorization: `Bearer ${key()}`,
      [version.name]: version.value,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
  });
  const text = await response.text();
  const { status, statusText, headers } = response;
  return {
    status,
    statusText,
    headers,
    text,
    json: parsed(text),
    ms: Math.round(performance.now() - started),
  };
}

/**
 * The same request for a shell; the key comes from its environment.
 * @param {Reference} reference
 * @param {Call} call
 */
export function curl({ version, document }, { method, url, body }) {
  const parts = [
    `curl -X ${method} ${quoted(`${document.servers[0]?.url ?? ''}${url}`)}`,
    '-H "Authorization: Bearer $UNDERPASS_API_KEY"',
    `-H ${quoted(`${version.name}: ${version.value}`)}`,
    ...(body === null ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

/** @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * @param {string} text
 * @returns {Json}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
