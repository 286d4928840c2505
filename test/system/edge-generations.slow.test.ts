/**
 * Edges, routes, policies and backends that change every few milliseconds under traffic.
 * Invariant: a response never mixes two states, and never has a state from before a confirmed change.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { freePorts, Platform, Postgres, postgresMissing, shareMasterKey } from '../harness/index.ts';
import { fixedEdge, httpsEdge } from './attacks.fixture.ts';
import {
  lines,
  NumberedUpstreams,
  openPort,
  requests,
  type Subject,
  visitors,
  visitWhileChanging,
} from './edge-generations.fixture.ts';

// Daemons that share a database share the key that seals what is in it.
shareMasterKey();

const CHANGES = 40;
/** One upstream for each generation, so that its number identifies the generation. */
const UPSTREAMS = CHANGES + 1;
const REFUSED = '403 3205';
const NOT_FOUND = '404 3200';

let upstreams: NumberedUpstreams;

before(async () => {
  upstreams = await NumberedUpstreams.start(UPSTREAMS);
});
after(() => upstreams.stop());

/** Shared parts of the subjects of one store: a daemon, backends and policies. */
class Ground {
  readonly platform: Platform;
  /** Static backends to the upstreams, in their order. */
  #backends: readonly string[] = [];
  /** The policies that let in only the visitor in the same place. */
  #policies: readonly string[] = [];

  private constructor(platform: Platform) {
    this.platform = platform;
  }

  static async make(platform: Platform): Promise<Ground> {
    const ground = new Ground(platform);
    ground.#backends = await Promise.all(
      upstreams.ports.map((port) => ground.create('/backends/static', { address: `127.0.0.1:${port}` })),
    );
    ground.#policies = await Promise.all(visitors.map((from) => ground.policy(from)));
    return ground;
  }

  async call(method: string, path: string, body?: object): Promise<Record<string, string>> {
    const { status, text } = await this.platform.api(method, path, body);
    assert.ok(status >= 200 && status < 300, `${method} ${path}: ${text}`);
    return text === '' ? {} : JSON.parse(text);
  }

  async create(path: string, body: object): Promise<string> {
    return (await this.call('POST', path, body)).id ?? '';
  }

  async policy(from: string): Promise<string> {
    const ip_policy_id = await this.create('/ip_policies', {});
    await this.create('/ip_policy_rules', { ip_policy_id, action: 'allow', cidr: `${from}/32` });
    return ip_policy_id;
  }

  backend(generation: number): string {
    return this.#backends[generation] ?? '';
  }

  /** The modules of a generation that edges of all kinds have, or their routes. */
  modules(generation: number): object {
    return {
      backend: { backend_id: this.backend(generation) },
      ip_restriction: { ip_policy_ids: [this.#policies[generation % 2]] },
    };
  }

  /** An HTTPS edge whose one route leads to the backend; answers the path of the edge. */
  async edge(label: string, backend: string): Promise<string> {
    return await httpsEdge(this.platform, label, backend);
  }

  /** The path of the one route. */
  async route(edge: string): Promise<string> {
    const { json } = await this.platform.api('GET', edge);
    return `${edge}/routes/${json.routes[0].id}`;
  }

  async fixed(body: string): Promise<string> {
    return await this.create('/backends/http_response', { body });
  }
}

const host = (label: string): string => `${label}.underpass.localhost`;
const isLetIn = (generation: number, from: string): boolean => from === visitors[generation % 2];

type MakeSubject = (ground: Ground) => Promise<Subject>;

/** A route whose backend, guards and headers change in one call. */
const route: MakeSubject = async (ground) => {
  const path = await ground.route(await ground.edge('route', ground.backend(0)));
  const change = async (generation: number): Promise<void> => {
    const headers = { add: { 'X-Generation': String(generation) } };
    const heads = { request_headers: headers, response_headers: headers };
    await ground.call('PATCH', path, { ...ground.modules(generation), ...heads });
  };
  await change(0);
  return {
    change,
    visitor: (platform, from) => requests(platform, host('route'), from, '/'),
    answer: (generation, from) =>
      isLetIn(generation, from) ? `200 ${generation}: upstream ${generation} for ${generation}` : REFUSED,
  };
};

/** A route in the way of another one, which comes and goes. */
const routes: MakeSubject = async (ground) => {
  const edge = await ground.edge('routes', await ground.fixed('all'));
  const backend = { backend_id: await ground.fixed('one') };
  let made = '';
  return {
    change: async (generation) => {
      const body = { match_type: 'exact_path', match: '/one', backend };
      if (generation % 2 === 1) made = await ground.create(`${edge}/routes`, body);
      else await ground.call('DELETE', `${edge}/routes/${made}`);
    },
    visitor: (platform, from) => requests(platform, host('routes'), from, '/one'),
    answer: (generation) => `200 : ${generation % 2 === 1 ? 'one' : 'all'}`,
  };
};

/** A name that moves from edge to edge, and has none in between. */
const hostports: MakeSubject = async (ground) => {
  const first = await ground.edge('moving', await ground.fixed('first'));
  const second = await ground.edge('resting', await ground.fixed('second'));
  const states = ['200 : first', NOT_FOUND, '200 : second', NOT_FOUND];
  return {
    change: async (generation) => {
      const edge = generation % 4 < 2 ? first : second;
      const isTaking = generation % 2 === 0;
      await ground.call('PATCH', edge, { hostports: isTaking ? [`${host('moving')}:443`] : [] });
    },
    visitor: (platform, from) => requests(platform, host('moving'), from, '/'),
    answer: (generation) => states[generation % states.length] ?? null,
  };
};

/** A rule of a policy that other documents refer to. */
const rule: MakeSubject = async (ground) => {
  const path = await ground.route(await ground.edge('rule', await ground.fixed('let in')));
  const ip_policy_id = await ground.create('/ip_policies', {});
  const cidr = (generation: number): string => `${visitors[generation % 2]}/32`;
  const id = await ground.create('/ip_policy_rules', { ip_policy_id, action: 'allow', cidr: cidr(0) });
  await ground.call('PUT', `${path}/ip_restriction`, { ip_policy_ids: [ip_policy_id] });
  return {
    change: async (generation) => {
      await ground.call('PATCH', `/ip_policy_rules/${id}`, { cidr: cidr(generation) });
    },
    visitor: (platform, from) => requests(platform, host('rule'), from, '/'),
    answer: (generation, from) => (isLetIn(generation, from) ? '200 : let in' : REFUSED),
  };
};

/** A fixed answer of a TLS edge, with status, header and body. */
const fixedAnswer: MakeSubject = async (ground) => {
  const { backendId } = await fixedEdge(ground.platform, 'fixed', '');
  const status = (generation: number): number => 400 + (generation % 100);
  const change = async (generation: number): Promise<void> => {
    const headers = { 'X-Generation': String(generation) };
    const body = { status_code: status(generation), headers, body: `body of ${generation}` };
    await ground.call('PATCH', `/backends/http_response/${backendId}`, body);
  };
  await change(0);
  return {
    change,
    visitor: (platform, from) => requests(platform, host('fixed'), from, '/'),
    answer: (generation) => `${status(generation)} ${generation}: body of ${generation}`,
  };
};

/** The child of a backend, and the address of a backend, that a route names all the while. */
const nested =
  (
    label: string,
    make: (ground: Ground) => Promise<string>,
    body: (ground: Ground, at: number) => object,
  ): MakeSubject =>
  async (ground) => {
    const path = await make(ground);
    await ground.edge(label, path.split('/').at(-1) ?? '');
    return {
      change: async (generation) => {
        await ground.call('PATCH', path, body(ground, generation));
      },
      visitor: (platform, from) => requests(platform, host(label), from, '/'),
      answer: (generation) => `200 : upstream ${generation} for none`,
    };
  };
const child = nested(
  'child',
  async (ground) =>
    `/backends/failover/${await ground.create('/backends/failover', { backends: [ground.backend(0)] })}`,
  (ground, generation) => ({ backends: [ground.backend(generation)] }),
);
const address = (generation: number) => ({
  address: `127.0.0.1:${upstreams.ports[generation]}`,
});
const dialled = nested(
  'address',
  async (ground) => `/backends/static/${await ground.create('/backends/static', address(0))}`,
  (_ground, generation) => address(generation),
);

/** A TLS edge that carries bytes. */
const bytes: MakeSubject = async (ground) => {
  await ground.create('/reserved_domains', { name: 'bytes' });
  const hostports = [`${host('bytes')}:443`];
  const tls_termination = { terminate_at: 'edge' };
  const id = await ground.create('/edges/tls', { hostports, tls_termination, ...ground.modules(0) });
  return {
    change: async (generation) => {
      await ground.call('PATCH', `/edges/tls/${id}`, ground.modules(generation));
    },
    visitor: (platform, from) => lines(() => platform.client.tls(host('bytes'), { localAddress: from })),
    answer: (generation, from) => (isLetIn(generation, from) ? `${generation}\n` : null),
  };
};

/** A TCP edge. */
const port: MakeSubject = async (ground) => {
  const { addr = '' } = await ground.call('POST', '/reserved_addrs', {});
  const id = await ground.create('/edges/tcp', { hostports: [addr], ...ground.modules(0) });
  return {
    change: async (generation) => {
      await ground.call('PATCH', `/edges/tcp/${id}`, ground.modules(generation));
    },
    visitor: (_platform, from) => lines(() => openPort(Number(addr.split(':')[1]), from)),
    answer: (generation, from) => (isLetIn(generation, from) ? `${generation}\n` : null),
  };
};

/** But for ports, which one daemon of a machine has. */
const anywhere: Readonly<Record<string, MakeSubject>> = {
  'a route with its backend, guard and headers': route,
  'the routes of an edge': routes,
  'the edge that has a name': hostports,
  'a rule of a policy': rule,
  'a fixed answer': fixedAnswer,
  'the child of a backend': child,
  'the address of a backend': dialled,
  'a TLS edge that carries bytes': bytes,
};

function checkEach(
  subjects: typeof anywhere,
  ground: () => Ground,
  platforms: () => readonly Platform[],
): void {
  for (const [what, make] of Object.entries(subjects))
    test(what, async () => {
      await visitWhileChanging(await make(ground()), platforms(), CHANGES);
    });
}

describe('no answer is older than an answered change, or of two states, while it changes:', {
  concurrency: true,
}, () => {
  let ground: Ground;
  before(async () => {
    const [first = 0] = await freePorts(1);
    const args = ['--allow-private', '127.0.0.0/8', '--tcp-ports', `${first}-${first}`];
    ground = await Ground.make(await Platform.start({ args }));
  });
  after(() => ground?.platform.stop());
  checkEach(
    { ...anywhere, 'a TCP edge': port },
    () => ground,
    () => [ground.platform],
  );
});

describe('nor does another daemon on the database mix states, or go back:', {
  concurrency: true,
  skip: postgresMissing,
}, () => {
  let postgres: Postgres;
  let ground: Ground;
  let other: Platform;
  before(async () => {
    postgres = await Postgres.shared();
    const args = ['--allow-private', '127.0.0.0/8', '--database', await postgres.database()];
    ground = await Ground.make(await Platform.start({ args }));
    other = await Platform.start({ args });
  });
  after(async () => {
    await other?.stop();
    await ground?.platform.stop();
    await postgres?.stop();
  });
  checkEach(
    anywhere,
    () => ground,
    () => [ground.platform, other],
  );
});
