/** A local replacement of the monitoring service. */
import { gunzipSync } from 'node:zlib';
import type { LooseJson } from '../harness/loose-json.ts';
import { startUpstream, type Upstream } from '../harness/upstream.ts';

export interface Received {
  readonly event_id: string;
  readonly event_type: string;
  readonly principal: unknown;
  readonly object: LooseJson;
}

/** An intake of the monitoring service that keeps what it takes, and refuses while it is away. */
export class Intake {
  readonly received: Received[] = [];
  isAway = false;
  #server: Upstream | null = null;

  async start(): Promise<string> {
    this.#server = await startUpstream(async (request, answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      if (this.isAway) return void answer.writeHead(503).end();
      const entries = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()) as { message: string }[];
      for (const { message } of entries) this.received.push(JSON.parse(message) as Received);
      answer.writeHead(202).end('{}');
    });
    return `http://127.0.0.1:${this.#server.port}`;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  /** Each once, in the order of their first arrival. */
  get distinct(): readonly Received[] {
    return [...new Map(this.received.map((event) => [event.event_id, event])).values()];
  }
}
