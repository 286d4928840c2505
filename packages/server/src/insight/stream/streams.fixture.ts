/** Opens streams of events over a store, and reads their events. */
import type { TestContext } from 'node:test';
import type { BodyWriter } from '../../http-server/streamed-body.ts';
import type { Principal } from '../../resources/definition.ts';
import { FakeOnline } from '../../resources/engine.fixture.ts';
import type { OpenStore } from '../../store/conformance/index.fixture.ts';
import { openInMemory } from '../../store/memory.fixture.ts';
import type { Store } from '../../store/store.ts';
import { Streams, type StreamsOptions } from './streams.ts';

export interface StreamEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly id: string | undefined;
}

/** A client, which reads until `isReading` is false. */
export class FakeClient {
  text = '';
  isEnded = false;
  isReading = true;
  isAdmitted = true;
  isIdentified = true;
  writer: BodyWriter | null = null;

  readonly output = {
    write: (text: string): boolean => {
      this.text += text;
      return this.isReading;
    },
    end: () => {
      this.isEnded = true;
    },
  };

  get events(): readonly StreamEvent[] {
    return this.text.split('\n\n').flatMap((block) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const event = field('event');
      return event === undefined ? [] : [{ event, data: JSON.parse(field('data') ?? ''), id: field('id') }];
    });
  }

  named(name: string): readonly StreamEvent[] {
    return this.events.filter(({ event }) => event === name);
  }

  /** The data of the changes without the revisions. */
  get changes(): readonly unknown[] {
    return this.named('change').map(({ data: { kind, id, what } }) => [kind, id, what]);
  }

  /** The last id, as a client sends it. */
  get lastEventId(): string | undefined {
    return [...this.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1];
  }

  resume(): void {
    this.isReading = true;
    this.writer?.drained();
  }
}

export interface OpenRequest {
  readonly topics?: string;
  readonly lastEventId?: string | undefined;
  readonly role?: Principal['role'];
  readonly owner?: string;
}

export interface World {
  readonly store: Store;
  readonly online: FakeOnline;
  readonly streams: Streams;
  readonly failures: unknown[];
  open(account: string, request?: OpenRequest): FakeClient;
  /** Writes a document, and resolves with its id. */
  create(account: string, kind?: string): Promise<string>;
  update(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

const PREFIXES: Readonly<Record<string, string>> = { user: 'usr', api_key: 'ak', tls_edge: 'edgtls' };

/** `open`: the database; by default one in memory. */
export async function startStreams(
  t: TestContext,
  options: Partial<StreamsOptions> = {},
  openStore: OpenStore = openInMemory,
): Promise<World> {
  const { store, dispose } = await openStore();
  const online = new FakeOnline();
  const failures: unknown[] = [];
  const streams = new Streams({
    ...{ store, online, kinds: Object.keys(PREFIXES), failed: (error) => failures.push(error) },
    isVisible: ({ kind }, { role }) => kind !== 'api_key' || role === 'admin',
    overview: async () => ({}),
    requests: { requireOn() {}, follow: () => () => {} },
    ...options,
  });
  t.after(async () => {
    streams.end();
    await dispose();
  });
  return {
    ...{ store, online, streams, failures },
    open: (account, { topics = 'changes,sessions', lastEventId, role = 'admin', owner = 'usr_x' } = {}) => {
      const client = new FakeClient();
      const principal = {
        account,
        owner,
        role,
        subject: '',
        key: 'ak_x',
        address: '',
      } as const;
      const body = streams.open({
        ...{ principal, path: {}, query: { topics }, body: null, baseUrl: '', missing: () => {} },
        lastEventId: lastEventId ?? null,
        isSourceAdmitted: () => client.isAdmitted,
        isIdentified: async () => client.isIdentified,
      });
      client.writer = body(client.output);
      return client;
    },
    create: async (account, kind = 'tls_edge') => {
      let id = '';
      await store.write((newId) => {
        id = newId(PREFIXES[kind] ?? kind);
        return [
          {
            op: 'insert',
            id,
            account,
            kind,
            parent: null,
            body: { n: 0, role: 'member' },
            links: [],
            names: [],
          },
        ];
      });
      return id;
    },
    update: async (id) => {
      const { revision = 0, body = {} } = (await store.get(id)) ?? {};
      const changed = { n: Number('n' in body ? body.n : 0) + 1, role: 'viewer' };
      await store.write(() => [{ op: 'rewrite', id, revision, body: changed }]);
    },
    remove: async (id) => {
      const { revision = 0 } = (await store.get(id)) ?? {};
      await store.write(() => [{ op: 'delete', id, revision }]);
    },
  };
}
