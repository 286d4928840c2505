/** Lists the daemons of a database, for operators. */
import { abandon } from './connect.ts';
import { type ListedNode, listNodes } from './directory.ts';
import { prepare, reach } from './open.ts';

/** Rejects with StoreOpenError. */
export async function nodesOf(url: string): Promise<readonly ListedNode[]> {
  await prepare(url);
  const client = await reach(url);
  try {
    return await listNodes(client);
  } finally {
    abandon(client);
  }
}
