import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { field, noopHandler, StreamType } from '@underpass/wire';
import { suffixOf } from '../core/id.ts';
import {
  codeOf,
  domain,
  numberIn,
  pattern,
  type TestAgent,
  type TestCredential,
  until,
  visitor,
  World,
} from './ingress.fixture.ts';

describe('an authenticated agent', () => {
  let world: World;
  let account: string;
  let credential: TestCredential;
  let agent: TestAgent;

  before(async () => {
    world = await World.create();
    account = await world.account();
    credential = await world.credential(account);
    agent = await world.login(credential);
  });
  after(() => world.stop());

  const tunnels = (of = account) => [...world.ingress.online.tunnels(of)];
  const at = (name: string) => world.ingress.online.byName(pattern(name));

  test('gets a random name, and the tunnel shows it as it is', async () => {
    const response = await agent.bind({}, { Metadata: 'm', Description: 'd', Name: 'n' });
    const [tunnel] = tunnels();
    const endpoint = tunnel?.endpoint;
    assert.ok(tunnel !== undefined && endpoint);
    const { closed } = at(endpoint.hostname)!;
    assert.match(endpoint.hostname, /^[0-9a-f]{12}\.underpass\.localhost$/);
    const url = `https://${endpoint.hostname}:8443`;
    const { Id: id, Extra: extra, ...rest } = response;
    assert.match(String(id), /^[0-9a-f]{32}$/);
    assert.equal(field(extra, 'TunnelID'), tunnel.id);
    assert.equal(typeof field(extra, 'Token'), 'string');
    assert.deepEqual(rest, {
      URL: url,
      Proto: 'https',
      Opts: {
        Hostname: endpoint.hostname,
        Auth: '',
        Subdomain: '',
        HostHeaderRewrite: false,
        ProxyProto: 0,
      },
      Error: '',
    });
    assert.equal(endpoint.proto, 'https');
    assert.equal(endpoint.url, url);
    assert.equal(endpoint.id, `ep_${suffixOf(tunnel.id)}`);
    assert.equal(tunnel.forwardsTo, 'http://localhost:3000');
    assert.deepEqual([tunnel.metadata, endpoint.description, endpoint.name], ['m', 'd', 'n']);
    assert.equal(tunnel.credential, credential.id);
    assert.equal(tunnel.region, 'us');
    assert.deepEqual(tunnel.labels, {});
    assert.equal([...world.ingress.online.sessions(account)][0]?.id, tunnel.session);
    assert.equal(codeOf(await agent.request(StreamType.unbind, { Id: id })), '');
    assert.deepEqual(tunnels(), []);
    assert.ok(closed.aborted);
  });

  test('keeps its own id, and is answered what it sent, with the name that it got', async () => {
    const response = await agent.bind(
      {
        subdomain: 'Shop',
        HOSTNAME: '',
        Url: null,
        localURLScheme: 'http',
        Compression: null,
        Novelty: 1,
        RequestHeaders: { Add: [] },
      },
      {},
      { Id: 'mine', Proto: 'http' },
    );
    assert.equal(response.Error, '');
    assert.equal(response.Id, 'mine');
    assert.equal(response.Proto, 'http');
    assert.equal(response.URL, `https://shop.${domain}:8443`);
    assert.deepEqual(response.Opts, {
      subdomain: 'Shop',
      HOSTNAME: `shop.${domain}`,
      Url: `https://shop.${domain}:8443`,
      localURLScheme: 'http',
      Compression: null,
      Novelty: 1,
      RequestHeaders: { Add: [] },
      Auth: '',
      HostHeaderRewrite: false,
      ProxyProto: 0,
    });
    assert.equal(at(`shop.${domain}`)?.facts.endpoint?.proto, 'http');
    const again = await agent.bind(
      response.Opts as Record<string, unknown>,
      {},
      { Id: 'mine', Proto: 'http' },
    );
    assert.equal(again.Error, '', 'what was answered can be sent again');
    assert.equal(tunnels().length, 1);
    assert.deepEqual(agent.stopped, [], 'replacing a tunnel under its own id does not stop the new one');
    assert.equal(codeOf(await agent.bind({ Subdomain: 'other' }, {}, { Id: 'mine' })), '60306');
    assert.equal(codeOf(await agent.request(StreamType.unbind, { Id: 'mine' })), '');
  });

  test('is answered in its own spelling and types, whichever family it is of, and may send that back', async () => {
    const name = `spelled.${domain}`;
    const url = `https://${name}:8443`;
    const always = { Auth: '', Subdomain: '', HostHeaderRewrite: false, ProxyProto: 0 };
    const modules = { Compression: null, CircuitBreaker: null, BasicAuth: null, TrafficPolicy: '' };
    for (const [what, sent, answered] of [
      // One family sends everything, unset, and has no URL.
      [
        'by host name',
        { Hostname: '', Domain: name, ...always, ...modules },
        { Hostname: name, Domain: name, ...always, ...modules },
      ],
      // The other sends a URL, and nothing that it has no value for.
      [
        'by URL',
        { URL: url, TrafficPolicy: null },
        { URL: url, TrafficPolicy: null, Hostname: name, ...always },
      ],
      ['by a bare host', { URL: name }, { URL: url, Hostname: name, ...always }],
      [
        'by subdomain',
        { ...always, Subdomain: 'spelled', LocalURLScheme: 'http' },
        { ...always, Subdomain: 'spelled', LocalURLScheme: 'http', Hostname: name },
      ],
      [
        'with nulls',
        { Hostname: null, Auth: null, Domain: name },
        { Domain: name, Hostname: name, ...always },
      ],
    ] as const) {
      const id = what.replaceAll(' ', '-');
      const first = await agent.bind(sent, {}, { Id: id });
      assert.equal(first.Error, '', what);
      assert.deepEqual([first.Id, first.URL, first.Opts], [id, url, answered], what);
      const Token = field(first.Extra, 'Token');
      const again = await agent.bind(first.Opts as Record<string, unknown>, { Token }, { Id: id });
      assert.deepEqual([again.Id, again.URL, again.Opts], [id, url, answered], `${what}, again`);
      await agent.request(StreamType.unbind, { Id: id });
    }
  });

  test('finds the code of every refusal alone at the start of its last line', async () => {
    const refusals = [
      await agent.bind({ Domain: 'app.example.com' }),
      await agent.bind({ URL: 'https://me:secret@app.example.com' }),
      await agent.bind({ OAuth: { provider: 'x' } }),
      await agent.label({}),
      await agent.request(StreamType.unbind, { Id: 'nobody' }),
      await agent.request(StreamType.patchTunnelState, {}),
      await agent.auth('again'),
    ];
    for (const { Error: text } of refusals) assert.match(String(text), /\S\n\nERR_TEST_\d+$/);
    assert.equal(codeOf(refusals[1]), '9037');
    assert.doesNotMatch(String(refusals[1]?.Error), /secret/);
  });

  test('cannot bind other protocols, wrong types or what is not served, and is told which', async () => {
    for (const [what, code, opts, extra, top] of [
      ['ssh', '332', {}, {}, { Proto: 'ssh' }],
      ['no protocol', '332', {}, {}, { Proto: '' }],
      ['protocol of a wrong type', '301', {}, {}, { Proto: 1 }],
      ['options of a wrong type', '301', {}, {}, { Opts: 'x' }],
      ['extra of a wrong type', '301', {}, {}, { Extra: [1] }],
      ['hostname of a wrong type', '301', { Hostname: ['a'] }, {}, {}],
      ['id of a wrong type', '301', {}, {}, { Id: 5 }],
      ['token of a wrong type', '301', {}, { Token: {} }, {}],
      ['bindings of a wrong type', '301', {}, { Bindings: 'public' }, {}],
      ['long id', '60314', {}, {}, { Id: 'x'.repeat(256) }],
      ['long upstream', '60314', {}, {}, { ForwardsTo: 'x'.repeat(2049) }],
      ['long metadata', '60314', {}, { Metadata: 'x'.repeat(4097) }, {}],
      ['upstream of an unknown kind', '60307', {}, {}, { ForwardsProto: 'http3' }],
      ['private binding', '60406', {}, { Bindings: ['internal'] }, {}],
      ['private binding beside a public one', '60406', {}, { Bindings: ['public', 'Kubernetes'] }, {}],
      ['internal name', '60407', { URL: 'https://app.internal' }, {}, {}],
      ['pooling of a wrong type', '301', {}, { PoolingEnabled: 'yes' }, {}],
      ['IP policy', '60307', {}, { IPPolicyRef: 'ipp_x' }, {}],
      ['service name', '60302', { Subdomain: 'api' }, {}, {}],
      ['the shared domain', '60302', { Domain: domain }, {}, {}],
      ['nested name', '354', { Subdomain: 'a.b' }, {}, {}],
      ['custom name', '319', { Domain: 'app.example.com' }, {}, {}],
      ['wildcard', '318', { Domain: '*.example.com' }, {}, {}],
      ['contradiction', '9021', { Subdomain: 'a', Domain: 'b.example.com' }, {}, {}],
      ['prototype as a name', '355', { Subdomain: '__proto__' }, {}, {}],
      ['forged token', '60304', {}, { Token: 'Zm9v.AAAA' }, {}],
    ] as const) {
      const response = await agent.bind(opts, extra, top);
      assert.equal(codeOf(response), code, what);
      assert.equal(response.Id, '', what);
    }
    for (const body of [null, 1, 'x', []]) {
      assert.equal(codeOf(await agent.request(StreamType.bind, body)), '301', JSON.stringify(body));
    }
    assert.deepEqual(tunnels(), []);
  });

  test('is told the name of every option that is not there, in whatever case', async () => {
    for (const [name, opts] of [
      ['HostHeaderRewrite', { hostHeaderRewrite: true }],
      ['CircuitBreaker.tripped_duration', { circuitBreaker: { error_threshold: 1, tripped_duration: 5 } }],
      ['IPRestriction.AllowCIDRs', { IPRestriction: { AllowCIDRs: ['10.0.0.0/8'], DenyCIDRs: [] } }],
      ['BasicAuth.Users', { basicAuth: { Users: [{ Username: 'u', CleartextPassword: 'p' }] } }],
      ['OAuth.allow_teams', { OAuth: { provider: 'github', allow_teams: ['x'] } }],
      ['OIDC.IssuerUrl', { oidc: { IssuerUrl: 'https://x' } }],
      ['WebhookVerification.tolerance', { WebhookVerification: { provider: 'github', tolerance: 9 } }],
      ['MutualTLSCA.MutualTlsCa', { MutualTLSCA: { MutualTlsCa: 'QUJD' } }],
      ['Compression.level', { Compression: { level: 9 } }],
      ['Shield', { Shield: { strength: 9 } }],
    ] as const) {
      const response = await agent.bind(opts);
      assert.equal(codeOf(response), '60307', name);
      assert.ok(String(response.Error).startsWith(`${name} is not available`), String(response.Error));
    }
    const unset = {
      Auth: '',
      HostHeaderRewrite: false,
      ProxyProto: 0,
      Compression: null,
      UserAgentFilter: { Allow: [], Deny: null },
      RequestHeaders: {},
      TrafficPolicy: '',
      LocalURLScheme: 'https',
      Future: 'x',
    };
    const response = await agent.bind(unset, {
      Bindings: ['public'],
      PoolingEnabled: false,
      Unknown: { a: 1 },
    });
    assert.equal(response.Error, '');
    await agent.request(StreamType.unbind, { Id: response.Id });
  });

  test('carries connections through the tunnel behind their header', async () => {
    const response = await agent.bind({ Subdomain: 'carry' }, {}, { Id: 'c1' });
    const tunnel = at(`carry.${domain}`)!;
    const stream = tunnel.open(visitor)!;
    let echoed = '';
    let ended = false;
    stream.handler = { ...noopHandler, data: (chunk) => (echoed += chunk), end: () => (ended = true) };
    stream.write(Buffer.from('hello'));
    stream.end();
    await until(() => ended, 'the echo');
    assert.equal(echoed, 'hello');
    assert.deepEqual(agent.proxied.at(-1), {
      Id: 'c1',
      ClientAddr: '203.0.113.7:4711',
      Proto: 'https',
      EdgeType: '0',
      PassthroughTLS: false,
    });
    await agent.request(StreamType.unbind, { Id: response.Id });
    assert.equal(tunnel.open(visitor), null, 'an unbound tunnel delivers nothing');
    assert.equal(at(`carry.${domain}`), undefined);
  });

  test('has the visitor of each stream announced where it asks for the PROXY protocol', async () => {
    for (const [version, header] of [
      [1, Buffer.from('PROXY TCP4 203.0.113.7 198.51.100.1 4711 443\r\n').toString('hex')],
      [2, '0d0a0d0a000d0a515549540a2111000ccb007107c6336401126701bb'],
    ] as const) {
      const response = await agent.bind({ Subdomain: 'said', PROXYPROTO: version }, {}, { Id: 'p' });
      assert.deepEqual([response.Error, field(response.Opts, 'PROXYPROTO')], ['', version]);
      const stream = at(`said.${domain}`)!.open(visitor)!;
      let echoed = '';
      let ended = false;
      stream.handler = {
        ...noopHandler,
        data: (chunk) => (echoed += chunk.toString('hex')),
        end: () => (ended = true),
      };
      stream.write(Buffer.from('hi'));
      stream.end();
      await until(() => ended, 'the echo');
      assert.equal(echoed, `${header}6869`);
      assert.equal(at(`said.${domain}`)?.isOfOneVisitor, true);
    }
    for (const version of [3, -1]) assert.equal(codeOf(await agent.bind({ ProxyProto: version })), '60404');
    await agent.request(StreamType.unbind, { Id: 'p' });
  });

  test('changes and unbinds only tunnels of its own session', async () => {
    const other = await world.login(credential);
    const { Id: id } = await agent.bind({ Subdomain: 'own' });
    const tunnel = at(`own.${domain}`)!;
    const { patchTunnelState, unbind } = StreamType;
    assert.equal(codeOf(await other.request(patchTunnelState, { TunnelId: id, Metadata: 'x' })), '60308');
    assert.equal(codeOf(await other.request(unbind, { Id: id })), '60308');
    assert.equal(codeOf(await agent.request(unbind, {})), '60308');
    assert.equal(codeOf(await agent.request(patchTunnelState, { TunnelId: id, Metadata: 'x' })), '');
    assert.equal(tunnel.facts.metadata, 'x');
    assert.equal(
      codeOf(await agent.request(patchTunnelState, { tunnelid: tunnel.id, Name: 'n', Description: 'd' })),
      '',
    );
    assert.equal(tunnel.facts.metadata, 'x', 'what is absent stays');
    assert.equal(codeOf(await agent.request(patchTunnelState, { TunnelId: id, metadata: '' })), '');
    const texts = () => [tunnel.facts.endpoint?.name, tunnel.facts.endpoint?.description];
    assert.deepEqual([tunnel.facts.metadata, ...texts()], ['', 'n', 'd']);
    assert.equal(codeOf(await agent.request(patchTunnelState, { TunnelId: id, NAME: '' })), '');
    assert.deepEqual(texts(), ['', 'd']);
    for (const [code, change] of [
      ['301', { PoolingEnabled: 1 }],
      ['9026', { TrafficPolicy: 'x' }],
      ['9026', { TrafficPolicy: '{"on_http_request":' }],
      ['2201', { TrafficPolicy: 'on_http_request: [{actions: [{type: deny}]}]' }],
      ['', { TrafficPolicy: '{}' }],
      ['', { TrafficPolicy: 'on_http_request: []\n' }],
      ['60314', { Metadata: 'x'.repeat(4097) }],
      ['301', { Metadata: 4 }],
    ] as const) {
      assert.equal(codeOf(await agent.request(patchTunnelState, { TunnelId: id, ...change })), code);
    }
    assert.equal(codeOf(await agent.request(unbind, { id })), '');
    other.socket.destroy();
  });

  test('starts labelled tunnels, which groups find while they are online', async () => {
    const { online } = world.ingress;
    const web = new Map([['app', 'web']]);
    const both = new Map([
      ['zone', 'a'],
      ['app', 'web'],
    ]);
    assert.deepEqual(online.matching(account, web), []);
    const one = await agent.label({ app: 'web', zone: 'a' });
    const two = await agent.label({ app: 'web', zone: 'b' });
    assert.equal(one.Error, '');
    assert.deepEqual(
      online.matching(account, web).map(({ facts }) => facts.labels.zone),
      ['a', 'b'],
    );
    assert.equal(
      online.matching(account, web),
      online.matching(account, web),
      'the second look-up costs nothing',
    );
    assert.deepEqual(
      online.matching(account, both).map(({ facts }) => facts.labels.zone),
      ['a'],
    );
    assert.deepEqual(online.matching(account, new Map([['app', 'web=']])), []);
    assert.deepEqual(online.matching(account, new Map()), []);
    assert.deepEqual(online.matching('ac_other', web), []);
    const [tunnel] = online.matching(account, both);
    assert.ok(tunnel !== undefined && tunnel.facts.endpoint === null);
    assert.equal(tunnel.facts.metadata, 'm');
    const stream = tunnel.open({ ...visitor, edgeType: '2' })!;
    stream.handler = noopHandler;
    await until(() => agent.proxied.at(-1)?.Id === one.Id, 'the connection arrives');
    assert.equal(agent.proxied.at(-1)?.EdgeType, '2');
    assert.equal(codeOf(await agent.request(StreamType.unbind, { Id: two.Id })), '');
    assert.equal(online.matching(account, web).length, 1);
    assert.equal(codeOf(await agent.request(StreamType.unbind, { Id: one.Id })), '');
    assert.deepEqual(online.matching(account, web), []);
  });

  test('is told what is wrong with labels', async () => {
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`k${index}`, 'v']));
    for (const [code, labels] of [
      ['394', {}],
      ['301', ['a']],
      ['301', { a: 1 }],
      ['60311', many],
      ['60312', { '': 'v' }],
      ['60312', { 'a=b': 'v' }],
      ['60312', { ['k'.repeat(256)]: 'v' }],
      ['60313', { a: '' }],
      ['60313', { a: 'b=c' }],
      ['60313', { a: 'v'.repeat(256) }],
    ] as const) {
      assert.equal(codeOf(await agent.label(labels as Record<string, unknown>)), code);
    }
    const odd = JSON.parse('{"__proto__": "x", "constructor": "y"}');
    const response = await agent.label(odd);
    assert.equal(response.Error, '');
    assert.equal(world.ingress.online.matching(account, new Map([['__proto__', 'x']])).length, 1);
    await agent.request(StreamType.unbind, { Id: response.Id });
  });

  test('of two that ask for one free name at once, exactly one account gets it', async () => {
    const rival = await world.login(await world.credential(await world.account('rival')));
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all([
        agent.bind({ Subdomain: `race${round}` }),
        rival.bind({ Subdomain: `race${round}` }),
      ]);
      assert.deepEqual(answers.map(codeOf).sort(), ['', '334']);
    }
    rival.socket.destroy();
  });

  test('uses reserved names of its own account, exact or below a wildcard, and no others', async () => {
    const rival = await world.account('other');
    await world.reserve(account, 'app.example.com');
    await world.reserve(account, '*.wild.example.com');
    await world.reserve(rival, 'theirs.example.com');
    await world.reserve(rival, `taken.${domain}`);
    await world.reserve(account, `x.y.${domain}`);
    await world.edge(account, ['app.example.com']);
    for (const [code, name] of [
      ['381', 'app.example.com'],
      ['', 'a.wild.example.com'],
      ['', '*.wild.example.com'],
      ['321', '*.a.wild.example.com'],
      ['319', 'wild.example.com'],
      ['320', 'theirs.example.com'],
      ['320', `taken.${domain}`],
      ['', `x.y.${domain}`],
    ] as const) {
      assert.equal(codeOf(await agent.bind({ Domain: name })), code, name);
    }
  });
});

test('bind rules hold on every bind, whatever the spelling', async () => {
  const world = await World.create();
  try {
    const account = await world.account();
    await world.reserve(account, '*.example.com');
    await world.reserve(account, 'example.com');
    const rules = ['bind:example.com', `bind:*.team.${domain}`, 'bind:app=*', 'bind:zone=a'];
    const credential = await world.credential(account, rules);
    const agent = await world.login(credential);
    for (const [code, opts] of [
      ['', { Domain: 'example.com' }],
      ['', { Domain: 'EXAMPLE.com.' }],
      ['', { Hostname: 'Example.Com' }],
      ['', { URL: 'https://EXAMPLE.COM:443' }],
      ['316', { Domain: '*.example.com' }],
      ['316', { Domain: 'x.example.com' }],
      ['316', { Subdomain: 'team' }],
      ['60305', {}],
    ] as const) {
      const response = await agent.bind(opts);
      assert.equal(codeOf(response), code, JSON.stringify(opts));
      if (code === '316')
        assert.match(String(response.Error), /"bind:[^"]+"/, 'the error names the rule that is missing');
    }
    for (const [code, labels] of [
      ['', { app: 'web' }],
      ['', { app: 'web', zone: 'a' }],
      ['399', { app: 'web', zone: 'b' }],
      ['399', { other: 'x' }],
      ['399', { example: 'com' }],
    ] as const) {
      const response = await agent.label(labels);
      assert.equal(codeOf(response), code, JSON.stringify(labels));
    }
    const random = await world.login(await world.credential(account, [`bind:*.${domain}`]));
    assert.equal(codeOf(await random.bind()), '');
    assert.equal(
      codeOf(await random.label({ app: 'web' })),
      '399',
      'a rule about names says nothing about labels',
    );
  } finally {
    await world.stop();
  }
});

test('a session has a limit of tunnels, and replacing one of them is no new one', async () => {
  const world = await World.create({ limits: { tunnelsPerSession: 2 } });
  try {
    const agent = await world.login(await world.credential(await world.account()));
    assert.equal(codeOf(await agent.bind({ Subdomain: 'one' })), '');
    assert.equal(codeOf(await agent.label({ app: 'web' })), '');
    assert.equal(codeOf(await agent.bind({ Subdomain: 'two' })), '324');
    assert.equal(codeOf(await agent.label({ app: 'web' })), '324');
    assert.equal(codeOf(await agent.bind({ Subdomain: 'one' })), '');
    assert.equal(world.ingress.counts.tunnels, 2);
    await until(() => agent.stopped.length === 1, 'the agent is told about its former tunnel of that name');
    assert.equal(numberIn(agent.stopped[0]?.Message ?? ''), '60316');
    assert.equal(agent.stopped[0]?.ErrorCode, 'ERR_TEST_60316');
  } finally {
    await world.stop();
  }
});
