/** Lists and changes the daemons of a database, for operators. */
import type { Client } from 'pg';
import { abandon } from './connect.ts';
import { schemaOf } from './migrations.ts';
import { type ListedNode, listNodes, markDraining, type StoredNode } from './node-rows.ts';
import { prepare, reach } from './open.ts';

/** Rejects with StoreOpenError. */
export function nodesOf(url: string): Promise<readonly ListedNode[]> {
  return onDatabase(url, listNodes);
}

/** See `markDraining`. Rejects with StoreOpenError, or the error of `choose`. */
export function setDraining(
  url: string,
  isDraining: boolean,
  choose: (living: readonly StoredNode[]) => number,
): Promise<void> {
  return onDatabase(url, (client) => markDraining(client, isDraining, choose));
}

/** Connects, and changes nothing. Returns true if there is no installation. Rejects with StoreOpenError. */
export async function tryServer(url: string): Promise<boolean> {
  const client = await reach(url);
  try {
    return (await schemaOf(client)).version === 0;
  } finally {
    abandon(client);
  }
}

/** The end of the connection is the end of its transaction. */
async function onDatabase<T>(url: string, call: (client: Client) => Promise<T>): Promise<T> {
  await prepare(url);
  const client = await reach(url);
  try {
    return await call(client);
  } finally {
    abandon(client);
  }
}
