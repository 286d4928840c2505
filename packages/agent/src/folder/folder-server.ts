/** A server of a folder, for this process alone: it listens on a socket that nobody else of the machine can reach. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Upstream } from '../address.ts';
import type { FolderTarget } from './folder-target.ts';
import { serveFolder } from './serve-folder.ts';

export class FolderServer {
  readonly upstream: Upstream;
  readonly #server: Server;
  readonly #remove: () => void;

  private constructor(server: Server, upstream: Upstream, remove: () => void) {
    this.#server = server;
    this.upstream = upstream;
    this.#remove = remove;
  }

  /** Rejects with the system's error. */
  static async start({ folder, text }: FolderTarget): Promise<FolderServer> {
    // How long a connection may be idle is for the service to say, which shares it between visitors.
    const server = createServer({ keepAliveTimeout: 0 }, serveFolder(folder));
    // Its mode (0700) lets in nobody but this user.
    const place = mkdtempSync(join(tmpdir(), 'underpass-'));
    const remove = () => rmSync(place, { recursive: true, force: true });
    process.once('exit', remove);
    const path = join(place, 'http.sock');
    server.listen(path);
    await once(server, 'listening');
    return new FolderServer(server, { scheme: 'http', at: { path }, text }, remove);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#remove();
    process.off('exit', this.#remove);
  }
}
