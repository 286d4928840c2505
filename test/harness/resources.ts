/**
 * Lists the resources of an account, so that a test file can remove its own.
 * Invariant: every kind is listed.
 */
import { setTimeout } from 'node:timers/promises';
import type { Platform } from './platform.ts';

const PAGE = 100;
const MOST_LOOKS = 50;
const BETWEEN_LOOKS_MS = 20;

interface Paths {
  /** Collections whose resources can be deleted. */
  readonly stored: readonly string[];
  /** Collections whose resources end with their agents. */
  readonly live: readonly string[];
}

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly get?: object; readonly delete?: object }>>;
  readonly 'x-kinds': Readonly<Record<string, { readonly collection: string }>>;
}

/** The same of every daemon of a process. */
let known: Paths | null = null;

export class Resources {
  readonly #ids: ReadonlySet<string>;

  private constructor(ids: ReadonlySet<string>) {
    this.#ids = ids;
  }

  /** All that there are now. */
  static async in(platform: Platform): Promise<Resources> {
    const { stored } = await pathsOf(platform);
    const found = await Promise.all(stored.map((path) => list(platform, path)));
    return new Resources(new Set(found.flat()));
  }

  /** Deletes what has come since; answers whether nothing else is there, and nothing is gone. */
  async restore(platform: Platform): Promise<boolean> {
    const { stored, live } = await pathsOf(platform);
    for (let removed = 1; removed > 0; ) {
      const lists = await Promise.all(
        stored.map(async (path) => ({ path, ids: await list(platform, path) })),
      );
      const there = new Set(lists.flatMap(({ ids }) => ids));
      const added = lists.flatMap(({ path, ids }) =>
        ids.filter((id) => !this.#ids.has(id)).map((id) => `${path}/${id}`),
      );
      if (added.length === 0) return this.#ids.isSubsetOf(there) && (await areEmpty(platform, live));
      // Resources in use are deleted in a later round.
      const answers = await Promise.all(added.map((path) => call(platform, 'DELETE', path)));
      removed = answers.filter(({ status }) => status === 204).length;
    }
    return false;
  }
}

/** Agents that were stopped may need a moment. */
async function areEmpty(platform: Platform, paths: readonly string[]): Promise<boolean> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const lists = await Promise.all(paths.map((path) => list(platform, path)));
    if (lists.flat().length === 0) return true;
    await setTimeout(BETWEEN_LOOKS_MS);
  }
  return false;
}

async function pathsOf(platform: Platform): Promise<Paths> {
  if (known !== null) return known;
  const document = JSON.parse((await call(platform, 'GET', '/openapi.json')).text) as OpenApi;
  const all = Object.values(document['x-kinds']).map(({ collection }) => collection);
  const listed = all.filter((path) => !path.includes('{') && document.paths[path]?.get !== undefined);
  const isStored = (path: string): boolean => document.paths[`${path}/{id}`]?.delete !== undefined;
  known = { stored: listed.filter(isStored), live: listed.filter((path) => !isStored(path)) };
  return known;
}

/** Returns the ids of the newest page. After their deletion the next call returns earlier ones. */
async function list(platform: Platform, path: string): Promise<readonly string[]> {
  const { status, json, text } = await call(platform, 'GET', `${path}?limit=${PAGE}`);
  if (status !== 200) throw new Error(`GET ${path}: ${text}`);
  const items = Object.values(json as Record<string, unknown>).find((value) => Array.isArray(value));
  return (items as readonly { readonly id: string }[]).map(({ id }) => id);
}

async function call(platform: Platform, method: string, path: string) {
  const { api_key, base_url } = platform.bootstrap;
  const headers = { authorization: `Bearer ${api_key}`, 'service-version': '2' };
  return await platform.client.unchecked(new URL(path, base_url), { method, headers });
}
