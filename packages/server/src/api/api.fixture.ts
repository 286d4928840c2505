/** Runs the API on a free port over the fake engine. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { type DestinationStream, pino } from 'pino';
import { IpRestrictions } from '../access/ip-restrictions.ts';
import { clientAddress } from '../core/ip/client-address.ts';
import { defaultUserHeaders } from '../core/modules/user-headers.ts';
import { parseHostname } from '../core/names/hostname.ts';
import type { Profile } from '../core/profile.ts';
import type { Settings } from '../core/settings.ts';
import { catalogue, type ErrorName } from '../errors/catalogue.ts';
import type { StandaloneCall } from '../resources/standalone/definition.ts';
import { FakeEngine } from './fake-engine.fixture.ts';
import { type Answer, RawClient } from './raw-client.fixture.ts';
import { notes } from './samples.fixture.ts';
import { type Api, type ApiDeps, createApi } from './server.ts';
import { Vocabularies } from './vocabularies.ts';

export const KEY = '2NGMTbWc4FRUSFXd6YGbWXkE3PB_6dU3nqPwR8sVtYz2aBcDe';
export const VIEWER_KEY = '2NGMTbWc4FRUSFXd6YGbWXkE3PD_0000000000000000000ab';
export const OTHER_KEY = '2NGMTbWc4FRUSFXd6YGbWXkE3PC_0000000000000000000aa';
const BASE = 'https://api.underpass.test';

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

/** Starts a real server on a free port that hands its sockets to an API over a fake engine. Ends with the test. */
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
