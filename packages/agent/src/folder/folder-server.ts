/** A server of a folder, for this process alone: it listens on a socket that other users of the machine cannot reach. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Upstream } from '../address.ts';
import type { FolderTarget } from './folder-target.ts';
import { serveFolder } from './serve-folder.ts';

/** Folders of all servers, removed at every end of the process. */
const places = new Set<string>();
process.on('exit', () => {
  for (const place of places) remove(place);
});

export class FolderServer {
  readonly upstream: Upstream;
  readonly #server: Server;
  readonly #place: string;

  private constructor(server: Server, upstream: Upstream, place: string) {
    this.#server = server;
    this.upstream = upstream;
    this.#place = place;
  }

  /** Rejects with the system's error. */
  static async start({ folder, text }: FolderTarget): Promise<FolderServer> {
    // The service decides how long a connection may be idle, because visitors share it.
    const server = createServer({ keepAliveTimeout: 0 }, serveFolder(folder));
    // Mode 0700 admits this user only.
    const place = mkdtempSync(join(tmpdir(), 'underpass-'));
    places.add(place);
    const path = join(place, 'http.sock');
    server.listen(path);
    await once(server, 'listening');
    return new FolderServer(server, { scheme: 'http', at: { path }, text }, place);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    remove(this.#place);
    places.delete(this.#place);
  }
}

function remove(place: string): void {
  rmSync(place, { recursive: true, force: true });
}
