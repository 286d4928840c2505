/** An engine on a real store, with two accounts and a member, and tunnels that a test puts online. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { defaultUserHeaders } from '../core/modules/user-headers.ts';
import type { BindTarget } from '../core/names/bind-target.ts';
import {
  type HostPattern,
  isFault,
  overlaps,
  parseHostname,
  parseHostPattern,
} from '../core/names/hostname.ts';
import type { Settings } from '../core/settings.ts';
import type { DocumentStore, UserDocument } from '../documents/index.ts';
import { documentsIn } from '../documents/store.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import { Problem, type ProblemDetails } from '../errors/problem.ts';
import type { OnlineFacts, WantedName } from '../online/online.ts';
import type { SessionHandle } from '../online/session.ts';
import type { TunnelFacts } from '../online/tunnel-facts.ts';
import { factsAt, labelledFacts } from '../online/tunnels.fixture.ts';
import { Sealer } from '../pki/seal.ts';
import type { OpenStore } from '../store/conformance/index.fixture.ts';
import { openInMemory } from '../store/memory.fixture.ts';
import { ConflictError, type JsonObject } from '../store/store.ts';
import { contractChecked } from './contract-checked.fixture.ts';
import type { Collection, Principal, ResourceEngine } from './definition.ts';
import { createEngine } from './engine/engine.ts';
import { resourceKinds, resourceSurfaces } from './kinds/index.ts';

export class FakeOnline implements OnlineFacts {
  readonly liveSessions: SessionHandle[] = [];
  readonly liveTunnels: TunnelFacts[] = [];

  sessions(account: string) {
    return this.liveSessions.flatMap(({ facts }) => (facts.account === account ? [facts] : []));
  }

  session(id: string, account: string) {
    return this.liveSessions.find(({ facts }) => facts.account === account && facts.id === id);
  }

  tunnels(account: string) {
    return this.liveTunnels.filter((tunnel) => tunnel.account === account);
  }

  /** Names that are held, and for whom. */
  readonly held = new Map<HostPattern, string>();
  /** Reservations that are being written. */
  readonly suspended: BindTarget[] = [];

  occupied(pattern: HostPattern, account: string) {
    const isTheirs = (name: HostPattern | undefined, owner: string) =>
      name !== undefined && owner !== account && overlaps(name, pattern);
    if (this.liveTunnels.some((tunnel) => isTheirs(tunnel.endpoint?.hostname, tunnel.account)))
      return 'online';
    return [...this.held].some(([name, owner]) => isTheirs(name, owner)) ? 'held' : null;
  }

  async reserving<T>(names: readonly WantedName[], account: string, write: (exclusion: null) => Promise<T>) {
    for (const [at, { name, includesOwn }] of names.entries()) {
      const isBound = this.liveTunnels.some(({ endpoint }) => endpoint?.hostname === name);
      const how = includesOwn && isBound ? 'online' : this.occupied(name as HostPattern, account);
      if (how !== null) throw new ConflictError({ reason: 'occupied', at, how });
    }
    this.suspended.push(...names.map(({ name }) => name));
    try {
      return await write(null);
    } finally {
      this.suspended.splice(0);
    }
  }

  matching(account: string, labels: ReadonlyMap<string, string>) {
    return this.tunnels(account).filter((tunnel) =>
      [...labels].every(([key, value]) => tunnel.labels[key] === value),
    );
  }
}

export interface Platform {
  readonly engine: ResourceEngine;
  readonly store: DocumentStore;
  readonly online: FakeOnline;
  readonly settings: Settings;
  readonly sealer: Sealer;
  /** Callers of two accounts; `member` is in the account of `admin`. */
  readonly admin: Principal;
  readonly member: Principal;
  readonly stranger: Principal;
  addUser(account: string, body: UserDocument): Promise<string>;
  /** A tunnel that is bound to a name or carries labels; its agent may have a credential and call the endpoint something. */
  tunnel(
    account: string,
    what: {
      name?: string;
      labels?: Record<string, string>;
      credential?: string;
      title?: string;
      description?: string;
    },
  ): Promise<TunnelFacts>;
  /** Calls by the kind's store name; `parent` for a kind that lives below another. */
  create(
    kind: string,
    body: unknown,
    as?: Principal,
    parent?: string,
  ): Promise<JsonObject & { readonly id: string }>;
  get(kind: string, id: string, as?: Principal, parent?: string): Promise<JsonObject>;
  update(kind: string, id: string, body: unknown, as?: Principal, parent?: string): Promise<JsonObject>;
  remove(kind: string, id: string, as?: Principal, parent?: string): Promise<void>;
  list(
    kind: string,
    page?: { limit?: number; before?: string },
    as?: Principal,
  ): ReturnType<ResourceEngine['list']>;
  /** Closes the store and opens it again, under a new engine. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export function kindNamed(name: string) {
  const kind = resourceKinds.find((one) => one.name === name);
  assert.ok(kind, name);
  return kind;
}

/** The resources of the kind with that name, which may be an alias; `parent` for a kind that lives below another. */
export function collection(name: string, parent?: string): Collection {
  const kind = resourceSurfaces.find((one) => one.name === name);
  assert.ok(kind, name);
  return { kind, ...(parent === undefined ? {} : { parent }) };
}

export function pattern(text: string): HostPattern {
  const parsed = parseHostPattern(text);
  assert.ok(!isFault(parsed), text);
  return parsed;
}

export async function startPlatform(
  open: OpenStore = openInMemory,
  overrides: Partial<Settings> = {},
  now: () => number = Date.now,
): Promise<Platform> {
  const opened = await open();
  let store = documentsIn(opened.store);
  const domain = parseHostname('underpass.localhost');
  assert.ok(!isFault(domain));
  const settings: Settings = {
    nodeName: '',
    dataDir: '/nowhere',
    listen: { host: '127.0.0.1', port: 0 },
    httpListen: null,
    sshListen: null,
    domain,
    region: 'us',
    baseUrl: 'https://api.underpass.localhost:8443',
    consoleHost: null,
    publicPort: 8443,
    plainPort: null,
    versionHeaders: ['Service-Version'],
    errorPrefix: 'ERR_SERVICE_',
    errorCodeHeader: 'underpass-error-code',
    userHeaders: defaultUserHeaders,
    profile: null,
    apiRateLimit: 0,
    tcpPorts: { first: 20_000, last: 29_999 },
    allowPrivate: [],
    // Tests never send keys to the real service.
    monitoringIntake: 'http://127.0.0.1:1',
    managedCertificates: null,
    requireDomainProof: false,
    proxyProtocolFrom: [],
    oauthClients: new Map(),
    ...overrides,
  };
  const online = new FakeOnline();
  const sealer = new Sealer(randomBytes(32));
  const newEngine = () => contractChecked(createEngine({ store, settings, online, sealer, now }));
  let engine = newEngine();

  async function addUser(account: string, body: UserDocument): Promise<string> {
    let id = '';
    await store.write((newId) => {
      id = newId('usr');
      return [{ op: 'insert', id, account, kind: 'user', parent: null, body, links: [], names: [] }];
    });
    return id;
  }
  async function newIds(...prefixes: string[]): Promise<string[]> {
    let ids: string[] = [];
    await store.write((newId) => {
      ids = prefixes.map(newId);
      return [];
    });
    return ids;
  }
  async function principal(account: string, role: 'admin' | 'member'): Promise<Principal> {
    const owner = await addUser(account, { name: role, email: '', role, active: true });
    return { account, owner, role, subject: '', key: 'ak_0', address: '127.0.0.1' };
  }
  const [home = '', abroad = ''] = await newIds('ac', 'ac');
  const admin = await principal(home, 'admin');
  const member = await principal(home, 'member');
  const stranger = await principal(abroad, 'admin');

  return {
    get engine() {
      return engine;
    },
    get store() {
      return store;
    },
    online,
    settings,
    sealer,
    admin,
    member,
    stranger,
    addUser,
    async tunnel(account, { name, labels = {}, credential: given, title, description }) {
      const [id = '', endpoint = '', session = '', drawn = ''] = await newIds('tn', 'ep', 'ts', 'cr');
      const facts = {
        ...{ id, account, credential: given ?? drawn, session, labels, forwardsTo: 'localhost:3000' },
        ...{ metadata: 'mine', startedAt: Date.parse('2030-01-02T03:04:05.678Z') },
      };
      const texts = { id: endpoint, name: title ?? '', description: description ?? '' };
      const place = { ...texts, url: `https://${name}:8443` };
      const tunnel =
        name === undefined ? labelledFacts(facts) : factsAt(pattern(name), { ...facts, endpoint: place });
      online.liveTunnels.push(tunnel);
      return tunnel;
    },
    async create(kind, body, as = admin, parent) {
      return (await engine.create(collection(kind, parent), as, body)) as JsonObject & { id: string };
    },
    get: (kind, id, as = admin, parent) => engine.get(collection(kind, parent), as, id),
    update: (kind, id, body, as = admin, parent) => engine.update(collection(kind, parent), as, id, body),
    remove: (kind, id, as = admin, parent) => engine.remove(collection(kind, parent), as, id),
    list: (kind, page = {}, as = admin) => engine.list(collection(kind), as, { limit: 100, ...page }),
    async restart() {
      store = documentsIn(await opened.reopen());
      engine = newEngine();
    },
    close: () => opened.dispose(),
  };
}

/** Expects a call to be refused with this condition; answers the problem. */
export async function refused(
  call: Promise<unknown>,
  code: ErrorName,
  details?: ProblemDetails,
): Promise<Problem> {
  let problem: unknown;
  await assert.rejects(call, (error) => {
    problem = error;
    return true;
  });
  assert.ok(problem instanceof Problem, String((problem as Error).stack));
  assert.equal(problem.code, code, `${problem.code}: ${problem.message}`);
  assert.doesNotMatch(problem.message, /\{\w+\}/, 'every placeholder is filled');
  if (details !== undefined) {
    for (const [key, value] of Object.entries(details)) {
      assert.deepEqual(problem.details[key as keyof ProblemDetails], value, key);
    }
  }
  return problem;
}
