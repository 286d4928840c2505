/**
 * Runs the API on a free port over an engine that records its calls and returns them. The engine has no rules of
 * resources, so that no test here depends on one.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { type DestinationStream, pino } from 'pino';
import { ConditionVariable } from '../../../../test/harness/until.ts';
import { IpRestrictions } from '../access/ip-restrictions.ts';
import { clientAddress } from '../core/ip/client-address.ts';
import { defaultUserHeaders } from '../core/modules/user-headers.ts';
import { parseHostname } from '../core/names/hostname.ts';
import type { Profile } from '../core/profile.ts';
import type { Settings } from '../core/settings.ts';
import { Type } from '../core/type.ts';
import { catalogue, type ErrorName } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import type { Collection, KindSurface, Principal, ResourceEngine } from '../resources/definition.ts';
import type { RequestState } from '../resources/request-state.ts';
import type { StandaloneCall, StandaloneOperation, Topic } from '../resources/standalone/definition.ts';
import type { JsonObject } from '../store/store.ts';
import { type Api, type ApiDeps, createApi } from './server.ts';
import { Vocabularies } from './vocabularies.ts';

export const KEY = '2NGMTbWc4FRUSFXd6YGbWXkE3PB_6dU3nqPwR8sVtYz2aBcDe';
export const VIEWER_KEY = '2NGMTbWc4FRUSFXd6YGbWXkE3PD_0000000000000000000ab';
export const OTHER_KEY = '2NGMTbWc4FRUSFXd6YGbWXkE3PC_0000000000000000000aa';
export const WIDGET = 'widget_2NGMTbWc4FRUSFXd6YGbWXkE3PB';
const BASE = 'https://api.underpass.test';

const Ref = Type.Object(
  { id: Type.String(), uri: Type.String() },
  { $id: 'Ref', additionalProperties: false },
);
const Cover = Type.Object({ enabled: Type.Boolean() }, { $id: 'Cover' });
const described = { description: Type.Optional(Type.String({ maxLength: 255, 'x-error': 'valueInvalid' })) };
const widgetRead = Type.Object({
  id: Type.String(),
  description: Type.String(),
  friend: Type.Union([Ref, Type.Null()]),
  labels: Type.Record(Type.String(), Type.String()),
  cover: Type.Union([Cover, Type.Null()]),
});

export const widgets: KindSurface = {
  source: 'stored',
  name: 'widget',
  prefix: 'widget',
  path: '/samples/widgets',
  listKey: 'widgets',
  schemaName: 'Widget',
  summary: 'Widgets',
  description: 'Users of widgets.',
  group: 'Users',
  one: 'a widget',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create: Type.Object(described, { additionalProperties: false }),
  update: Type.Object(described, { additionalProperties: false }),
  read: widgetRead,
  modules: [
    { name: 'cover', schemaName: 'Cover', summary: 'Cover', write: Cover, read: Cover },
    {
      name: 'link',
      schemaName: 'Link',
      summary: 'Link',
      write: Type.Object({ gadget_id: Type.String() }),
      read: Type.Object({ gadget: Ref }),
    },
  ],
  detachments: [{ name: 'owner', field: 'owner_id', summary: 'Owner of a widget' }],
  views: [{ name: 'size', schemaName: 'Size', summary: 'Size of a widget', read: Type.Object({}) }],
  actions: [
    {
      name: 'weigh',
      summary: 'Weigh a widget',
      result: { schemaName: 'Weight', read: Type.Object({}) },
    },
  ],
};
export const gadgets: KindSurface = {
  source: 'live',
  name: 'gadget',
  prefix: 'gadget',
  path: '/gadgets',
  listKey: 'gadgets',
  schemaName: 'Gadget',
  summary: 'Gadgets',
  description: 'Objects with widgets.',
  group: 'Backends',
  one: 'a gadget',
  operations: ['list', 'get'],
  read: Type.Object({ id: Type.String() }),
  modules: [],
};

const Note = Type.Object({ id: Type.String(), text: Type.String() }, { $id: 'Note' });
const topic: Topic = {
  ...{ name: 'note', summary: 'Notes', description: 'Texts that belong to no kind.', group: 'Backends' },
};
/** Operations that belong to no kind. Each returns the call that it received. */
export const notes: readonly StandaloneOperation[] = [
  {
    ...{ topic, operation: 'note_list', method: 'GET', path: '/notes', summary: 'List notes', isRead: true },
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Largest number.' }),
      ),
      before_id: Type.Optional(Type.String({ description: 'Lists earlier ones.' })),
      about: Type.Enum(['day', 'night'], { type: 'string', description: 'Part of the day.' }),
      size: Type.Optional(Type.Integer({ minimum: 1, description: 'Least number of words.' })),
      is_short: Type.Optional(Type.Boolean({ description: 'Short ones only.' })),
    }),
    result: {
      schemaName: 'NoteList',
      read: Type.Object({
        notes: Type.Array(Note),
        uri: Type.String(),
        next_page_uri: Type.Union([Type.String(), Type.Null()]),
      }),
    },
  },
  {
    ...{ topic, operation: 'note_try', method: 'POST', path: '/notes/{id}/try', summary: 'Try a note' },
    ...{ isRead: false, parameters: { id: 'The id of the note.' } },
    body: { schemaName: 'NoteTry', write: Type.Object({ text: Type.String() }) },
    result: { schemaName: 'Tried', read: Type.Object({}) },
  },
  {
    ...{ topic, operation: 'note_delete', method: 'DELETE', path: '/notes/{id}', summary: 'Delete a note' },
    ...{ isRead: false, isForViewers: true, result: null },
  },
];

/** Returns the call that it received; nothing before `blockedUntil` resolves. */
export class FakeEngine implements ResourceEngine {
  readonly kinds = [widgets, gadgets];
  readonly asked: string[] = [];
  blockedUntil: Promise<void> = Promise.resolve();
  failure: Error | null = null;
  next: string | null = null;
  /** Revision of all resources. */
  revision = 7;

  async #note(...parts: unknown[]): Promise<JsonObject> {
    const asked = parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ');
    this.asked.push(asked);
    if (this.failure !== null) throw this.failure;
    await this.blockedUntil;
    return { asked };
  }
  #state(state: RequestState | undefined): void {
    state?.require({ revision: this.revision, body: {} });
    state?.show({ revision: this.revision, body: {} });
  }
  async create(
    { kind, parent }: Collection,
    _: Principal,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject> {
    this.#state(state);
    return this.#note('create', kind.name, ...(parent === undefined ? [] : [parent]), body);
  }
  async get({ kind }: Collection, _: Principal, id: string, state?: RequestState): Promise<JsonObject> {
    if (kind.source === 'stored') this.#state(state);
    if (!id.startsWith(`${kind.prefix}_`))
      throw new Problem('idPrefixWrong', { value: id, prefix: kind.prefix });
    if (id.endsWith('_gone')) throw new Problem('resourceNotFound');
    return this.#note('get', kind.name, id);
  }
  async list({ kind }: Collection, principal: Principal, page: { limit: number; before?: string }) {
    await this.#note('list', kind.name, principal.account, page);
    return { items: [{ id: WIDGET }], next: this.next };
  }
  async usedBy({ kind }: Collection, _: Principal, id: string, page: object) {
    await this.#note('usedBy', kind.name, id, page);
    return { items: [{ id: WIDGET }], next: this.next };
  }
  async update(
    { kind }: Collection,
    _: Principal,
    id: string,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject> {
    this.#state(state);
    return this.#note('update', kind.name, id, body);
  }
  async remove({ kind }: Collection, _: Principal, id: string, state?: RequestState): Promise<void> {
    state?.require({ revision: this.revision, body: {} });
    await this.#note('remove', kind.name, id);
  }
  async putModule(
    { kind }: Collection,
    _: Principal,
    id: string,
    module: string,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject> {
    this.#state(state);
    return this.#note('putModule', kind.name, id, module, body);
  }
  async getModule(
    { kind }: Collection,
    _: Principal,
    id: string,
    module: string,
    state?: RequestState,
  ): Promise<JsonObject> {
    this.#state(state);
    return this.#note('getModule', kind.name, id, module);
  }
  async removeModule(
    { kind }: Collection,
    _: Principal,
    id: string,
    module: string,
    state?: RequestState,
  ): Promise<void> {
    this.#state(state);
    await this.#note('removeModule', kind.name, id, module);
  }
  async detach(
    { kind }: Collection,
    _: Principal,
    id: string,
    name: string,
    state?: RequestState,
  ): Promise<void> {
    this.#state(state);
    await this.#note('detach', kind.name, id, name);
  }
  async view({ kind }: Collection, _: Principal, id: string, name: string): Promise<JsonObject> {
    return this.#note('view', kind.name, id, name);
  }
  async act({ kind }: Collection, _: Principal, id: string, name: string): Promise<JsonObject | null> {
    return this.#note('act', kind.name, id, name);
  }
  async addElement({ kind }: Collection, _: Principal, id: string, body: unknown): Promise<JsonObject> {
    return this.#note('addElement', kind.name, id, body);
  }
  async listElements(
    { kind }: Collection,
    _: Principal,
    id: string,
    page: object,
  ): Promise<readonly JsonObject[]> {
    return [await this.#note('listElements', kind.name, id, page)];
  }
  async getElement({ kind }: Collection, _: Principal, id: string, key: string): Promise<JsonObject> {
    return this.#note('getElement', kind.name, id, key);
  }
  async updateElement(
    { kind }: Collection,
    _: Principal,
    id: string,
    key: string,
    body: unknown,
  ): Promise<JsonObject> {
    return this.#note('updateElement', kind.name, id, key, body);
  }
  async removeElement({ kind }: Collection, _: Principal, id: string, key: string): Promise<void> {
    await this.#note('removeElement', kind.name, id, key);
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** The body when it is JSON, else {}; the tests know the shape that they expect. */
  readonly json: Record<string, unknown> & { details?: Record<string, unknown> };
}

export interface Running {
  readonly api: Api;
  readonly engine: FakeEngine;
  /** Empty until a test fills it. */
  readonly restrictions: IpRestrictions;
  readonly log: string[];
  readonly observed: { operation: string; status: number }[];
  /** Every key that was looked up. */
  readonly lookedUp: string[];
  /** Keys that are good no longer. */
  readonly revoked: Set<string>;
  readonly port: number;
  clock: number;
  /** Other daemons that cannot be reached. */
  unreachable: number;
  /** Other daemons that have not applied a write. */
  late: number | Promise<number>;
  /** Daemons whose part operations of no kind report as missing. */
  missing: number;
  /** One request on a connection of its own. `headers` are added to a good set; undefined removes one of it. */
  request(
    method: string,
    path: string,
    headers?: Record<string, string | undefined>,
    body?: string | Buffer,
  ): Promise<Answer>;
  /** A bare connection. */
  open(): Promise<RawClient>;
}

export interface Options {
  readonly limit?: number;
  readonly timeouts?: ApiDeps['timeouts'];
  readonly connections?: ApiDeps['connections'];
  readonly versionHeaders?: readonly string[];
  readonly profile?: Profile;
}

/** A real server on a free port that hands its sockets to an API over a fake engine. Ends with the test. */
/** Asserts that an answer is an error as all are, of this code and with these details. */
export function fails(answer: Answer, code: ErrorName, details: Record<string, unknown> = {}): void {
  const { number, status } = catalogue[code];
  assert.equal(answer.json.error_code, `ERR_SERVICE_${number}`, answer.text);
  assert.deepEqual(Object.keys(answer.json), ['error_code', 'status_code', 'msg', 'details']);
  assert.equal(answer.status, status);
  assert.equal(answer.json.status_code, status);
  assert.match(String(answer.json.msg), /\.$/);
  assert.doesNotMatch(String(answer.json.msg), /\{\w+\}/, 'a placeholder was left');
  assert.match(String(answer.json.details?.operation_id), /^op_[0-9A-Za-z]{27}$/);
  assert.equal(answer.headers.get('underpass-operation-id'), answer.json.details?.operation_id);
  assert.equal(answer.headers.get('content-type'), 'application/json');
  for (const [name, value] of Object.entries(details)) {
    assert.equal(answer.json.details?.[name], Array.isArray(value) ? value.join(', ') : String(value));
  }
}

export async function startApi(t: TestContext, options: Options = {}): Promise<Running> {
  const engine = new FakeEngine();
  const restrictions = new IpRestrictions();
  const log: string[] = [];
  const observed: { operation: string; status: number }[] = [];
  const lookedUp: string[] = [];
  const revoked = new Set<string>();
  const destination: DestinationStream = { write: (line) => void log.push(line) };
  const domain = parseHostname('underpass.test');
  if (typeof domain !== 'string') throw new Error('the test domain is fine');
  const settings: Settings = {
    nodeName: '',
    dataDir: '/nowhere',
    listen: { host: '127.0.0.1', port: 443 },
    httpListen: null,
    sshListen: null,
    domain,
    region: 'us',
    baseUrl: BASE,
    consoleHost: null,
    publicPort: 443,
    plainPort: null,
    versionHeaders: options.versionHeaders ?? ['Service-Version', 'Other-Version'],
    errorPrefix: 'ERR_SERVICE_',
    errorCodeHeader: 'underpass-error-code',
    userHeaders: defaultUserHeaders,
    profile: options.profile ?? null,
    apiRateLimit: options.limit ?? 0,
    tcpPorts: { first: 20_000, last: 29_999 },
    allowPrivate: [],
    // No test checks its keys against the real provider.
    monitoringIntake: 'http://127.0.0.1:1',
    managedCertificates: null,
    requireDomainProof: false,
    proxyProtocolFrom: [],
    oauthClients: new Map(),
  };
  const running: Pick<Running, 'clock' | 'unreachable' | 'late' | 'missing'> = {
    ...{ clock: 1000, unreachable: 0, late: 0, missing: 0 },
  };
  const echo = async ({ principal: { account }, missing, ...call }: StandaloneCall) => {
    missing(running.missing);
    return { account, ...call };
  };
  const runs = { note_list: echo, note_try: echo, note_delete: async () => null };
  const api = createApi({
    engine,
    authenticate: async (bearer) => {
      lookedUp.push(bearer);
      if (revoked.has(bearer)) return { fault: 'apiKeyInvalid' };
      if (bearer === KEY) return { account: 'ac_1', owner: 'usr_1', role: 'admin', subject: '', key: 'ak_1' };
      if (bearer === `${KEY}2`)
        return { account: 'ac_1', owner: 'usr_1', role: 'admin', subject: '', key: 'ak_2' };
      if (bearer === VIEWER_KEY)
        return { account: 'ac_1', owner: 'usr_3', role: 'viewer', subject: '', key: 'ak_4' };
      if (bearer === OTHER_KEY)
        return { account: 'ac_2', owner: 'usr_2', role: 'admin', subject: '', key: 'ak_3' };
      return { fault: bearer.includes('_') ? 'apiKeyInvalid' : 'apiKeyMalformed' };
    },
    restrictions,
    settings,
    vocabularies: new Vocabularies(settings, engine.kinds),
    log: pino({ level: 'info' }, destination),
    now: () => running.clock,
    observe: ({ operation, status }) => observed.push({ operation, status }),
    standalone: { operations: notes, runs },
    unreachable: () => running.unreachable,
    late: () => running.late,
    ...(options.timeouts === undefined ? {} : { timeouts: options.timeouts }),
    ...(options.connections === undefined ? {} : { connections: options.connections }),
  });
  const listener = createServer({ allowHalfOpen: true }, (socket) =>
    api.serve(socket, { clientAddr: clientAddress(socket) ?? '' }),
  );
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  t.after(async () => {
    listener.close();
    await api.close(0);
  });
  const open = async (): Promise<RawClient> => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    t.after(() => socket.destroy());
    return new RawClient(socket);
  };
  return Object.assign(running, {
    api,
    engine,
    restrictions,
    log,
    observed,
    lookedUp,
    revoked,
    port,
    open,
    async request(
      method: string,
      path: string,
      headers: Record<string, string | undefined> = {},
      body: string | Buffer = '',
    ) {
      const client = await open();
      client.send(requestText(method, path, { connection: 'close', ...headers }, body), body);
      return client.answer(method);
    },
  });
}

/** The bytes of a good request before its body. */
export function requestText(
  method: string,
  path: string,
  headers: Record<string, string | undefined> = {},
  body: string | Buffer = '',
): string {
  const all: Record<string, string | undefined> = {
    host: 'api.underpass.test',
    authorization: `Bearer ${KEY}`,
    'service-version': '2',
    ...(body.length === 0
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** A client that sends bytes as they are and reads answers one after the other. */
export class RawClient {
  readonly socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #ended = false;
  readonly #changes = new ConditionVariable();

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#changes.notify();
    });
    const end = (): void => {
      this.#ended = true;
      this.#changes.notify();
    };
    socket.on('end', end);
    socket.on('close', end);
    socket.on('error', end);
  }

  send(...parts: (string | Buffer)[]): void {
    for (const part of parts) if (part.length > 0) this.socket.write(part);
  }

  /** The next response; `method` decides if it has a body. */
  async answer(method = 'GET'): Promise<Answer> {
    const headEnd = await this.#position('\r\n\r\n');
    const [line = '', ...fields] = this.#received.subarray(0, headEnd).toString().split('\r\n');
    const headers = new Map(
      fields.map(
        (field) =>
          [
            field.slice(0, field.indexOf(':')).toLowerCase(),
            field.slice(field.indexOf(':') + 1).trim(),
          ] as const,
      ),
    );
    this.#received = this.#received.subarray(headEnd + 4);
    const length = method === 'HEAD' ? 0 : Number(headers.get('content-length') ?? 0);
    await this.#until(() => this.#received.length >= length);
    const text = this.#received.subarray(0, length).toString();
    this.#received = this.#received.subarray(length);
    const isJson = headers.get('content-type') === 'application/json' && text !== '';
    return { status: Number(line.split(' ')[1]), headers, text, json: isJson ? JSON.parse(text) : {} };
  }

  /** Resolves when the server has ended the connection; answers what was left unread. */
  async ended(): Promise<string> {
    await this.#changes.until(
      () => this.#ended,
      () => `an end of what began ${this.#beginning}`,
    );
    return this.#received.toString();
  }

  async #position(mark: string): Promise<number> {
    await this.#until(() => this.#received.includes(mark));
    return this.#received.indexOf(mark);
  }

  async #until(condition: () => boolean): Promise<void> {
    await this.#changes.until(
      () => {
        if (condition()) return true;
        if (this.#ended) throw new Error(`the connection ended after ${this.#beginning}`);
        return false;
      },
      () => `more than ${this.#beginning}`,
    );
  }

  get #beginning(): string {
    return JSON.stringify(this.#received.subarray(0, 2000).toString());
  }
}
