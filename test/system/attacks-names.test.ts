/** Attacks on names: spellings, wildcards, ClientHellos, fronting, tickets, and edges that change under live connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, connect as tcpConnect } from 'node:net';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import {
  asRecords,
  buildHello,
  extension,
  serverNameExtension,
} from '../../packages/server/src/edge/listeners/client-hello.fixture.ts';
import { closing, Platform } from '../harness/index.ts';
import { fixedEdge, rawHttp, statuses } from './attacks.fixture.ts';

const SHARED = 'underpass.localhost';
const MANY = 105;
let platform: Platform;
const edges = new Map<string, Awaited<ReturnType<typeof fixedEdge>>>();

before(async () => {
  platform = await Platform.shared();
  const named = ['alpha', 'beta', '*.wild', 'x.wild', '*.deep.wild', 'strict', 'off'];
  const labels = [...named, ...Array.from({ length: MANY }, (_, n) => `n${n}`)];
  await Promise.all(
    labels.map(async (label) => void edges.set(label, await fixedEdge(platform, label, `this is ${label}`))),
  );
});
after(() => platform.stop());

const edgeOf = (label: string): string => `/edges/tls/${edges.get(label)?.edgeId}`;
const get = (host: string, more = 'Connection: close\r\n', target = '/'): string =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;

/** The answer of a name to a plain GET, by that name as SNI and Host; the text of the TLS error when there is none. */
async function served(name: string, host = name): Promise<string> {
  try {
    return await rawHttp(platform, name, get(host));
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

test('a trailing dot and any case, in SNI and Host, are the same edge among more than a hundred', async () => {
  for (const [sni, host] of [
    [`alpha.${SHARED}`, `alpha.${SHARED}.`],
    [`alpha.${SHARED}.`, `alpha.${SHARED}.`],
    [`alpha.${SHARED}.`, `ALPHA.${SHARED}`],
    [`ALPHA.UNDERPASS.LOCALHOST`, `alpha.${SHARED}`],
    [`aLpHa.UnderPass.localhost`, `AlPhA.underpass.LOCALHOST.`],
  ] as const) {
    assert.match(await served(sni, host), /\r\n\r\nthis is alpha$/, `${sni} ${host}`);
  }
  for (let n = 0; n < MANY; n += 26) {
    assert.match(await served(`N${n}.${SHARED}`, `n${n}.UNDERPASS.localhost.`), new RegExp(`this is n${n}$`));
  }
});

test('each Host with a port, and each malformed one, has one defined result', async () => {
  const alpha = `alpha.${SHARED}`;
  for (const [host, status] of [
    [`${alpha}:443`, 200],
    [`${alpha}:${platform.port}`, 200],
    [`${alpha}:8444`, 421],
    [`${alpha}:`, 400],
    [`${alpha}:0443`, 400],
    ['[::1]:443', 400],
    [`${alpha}\0`, 400],
    [`${alpha} x`, 400],
    [`${alpha}\tx`, 400],
    [`x@${alpha}`, 400],
    [`${alpha}#x`, 400],
    [`${alpha}/x`, 400],
    [`${alpha}\\x`, 400],
    [`${alpha}\r\nHost: beta.${SHARED}`, 400],
    ['', 400],
  ] as const) {
    assert.deepEqual(statuses(await rawHttp(platform, alpha, get(host))), [status], JSON.stringify(host));
  }
  const absolute = get(alpha, 'Connection: close\r\n', `http://beta.${SHARED}/`);
  assert.deepEqual(statuses(await rawHttp(platform, alpha, absolute)), [400]);
});

test('names that cannot be are refused where they are made, each with its code', async () => {
  for (const [name, code] of [
    ['a_b', 438],
    ['-a', 407],
    ['a-', 408],
    ['a..b.com', 409],
    ['ab--c', 410],
    ['nodot.', 411],
    ['xn--zz', 429],
    ['a b', 406],
    ['x'.repeat(64), 513],
    [`${'x.'.repeat(130)}com`, 514],
    ['f.*.com', 402],
    ['a*.b.com', 403],
    ['*.com', 416],
    ['api', 404],
    [`*.${SHARED}`, 404],
    ...['tcp', 'acme', 'internal', 'us', 'jp'].map((label) => [label, 404] as const),
    [`x.cname.us.${SHARED}`, 450],
    [`*.cname.eu.${SHARED}`, 450],
    ['127.0.0.1', 60131],
  ] as const) {
    const answer = await platform.api('POST', '/reserved_domains', { name });
    assert.equal(answer.status, 400, name);
    assert.equal(answer.json.error_code, `ERR_SERVICE_${code}`, name);
  }
  const unicode = await platform.api('POST', '/reserved_domains', { name: 'MÜNCHEN' });
  assert.equal(unicode.json.domain, `xn--mnchen-3ya.${SHARED}`);
  assert.equal((await platform.api('POST', '/reserved_domains', { name: 'xn--mnchen-3ya' })).status, 409);
});

test('the exact name beats the wildcard, the deeper wildcard the shallower; what only looks alike is nobody', async () => {
  for (const [name, text] of [
    [`a.wild.${SHARED}`, 'this is *.wild'],
    [`a.b.wild.${SHARED}`, 'this is *.wild'],
    [`x.wild.${SHARED}`, 'this is x.wild'],
    [`y.x.wild.${SHARED}`, 'this is *.wild'],
    [`y.deep.wild.${SHARED}`, 'this is *.deep.wild'],
    [`deep.wild.${SHARED}`, 'this is *.wild'],
  ] as const) {
    assert.equal((await served(name)).split('\r\n\r\n')[1], text, name);
  }
  for (const name of [
    `wild.${SHARED}`,
    `evil-alpha.${SHARED}`,
    `xalpha.${SHARED}`,
    `constructor.${SHARED}`,
    `hasownproperty.${SHARED}`,
  ]) {
    assert.match(await served(name), /^HTTP\/1\.1 404 [\s\S]*ERR_SERVICE_3200/, name);
  }
  for (const name of [
    `alpha.${SHARED}.attacker.net`,
    `a.evil-wild.${SHARED}`,
    `a.alpha.${SHARED}`,
    'alpha',
    '__proto__',
    'constructor',
    `__proto__.${SHARED}`,
  ]) {
    assert.match(await served(name), /^refused: .*(unrecognized|alert)/i, name);
  }
  assert.match(await served(SHARED), /^HTTP\/1\.1 404 [\s\S]*\r\n\r\nNothing is served here\.\n/);
});

/** Sends bytes without TLS of our own and answers everything that comes until the daemon closes. */
async function alertFor(bytes: Buffer): Promise<Buffer> {
  const socket = tcpConnect(platform.port, '127.0.0.1');
  socket.on('error', () => {});
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part as Buffer));
  const closed = closing(socket);
  socket.write(bytes);
  await closed;
  return Buffer.concat(parts);
}

test('hellos without a usable name get a fatal alert and nothing else, and the daemon lives', async () => {
  const named = (name: string): Buffer => buildHello({ extensions: [serverNameExtension(name)] });
  const two = [serverNameExtension(`alpha.${SHARED}`), serverNameExtension(`beta.${SHARED}`)];
  for (const bytes of [
    buildHello({ extensions: [] }),
    buildHello({ extensions: null }),
    buildHello({ extensions: two }),
    buildHello({ extensions: [extension(21, Buffer.alloc(64_000)), serverNameExtension(`alpha.${SHARED}`)] }),
    ...['', '127.0.0.1', '::1', '\xff\xfe', `alpha.${SHARED}\0`, `*.${SHARED}`, `alpha.${SHARED}:443`].map(
      named,
    ),
    ...['__proto__', 'constructor', 'toString', 'x'.repeat(10_000)].map(named),
  ]) {
    const answer = await alertFor(bytes);
    assert.deepEqual(
      [answer.length, answer[0], answer[5]],
      [7, 0x15, 2],
      bytes.toString('latin1').slice(0, 120),
    );
  }
  assert.match(await served(`alpha.${SHARED}`), /this is alpha$/);
});

/** A relay that sends the first record of each client as other records, in segments of its own. */
async function splitting(records: number, segment: number): Promise<Server> {
  const relay = createServer({ noDelay: true }, (client) => {
    const server = tcpConnect({ port: platform.port, host: '127.0.0.1', noDelay: true });
    for (const socket of [client, server]) socket.on('error', () => {});
    server.pipe(client);
    client.once('data', async (flight: Buffer) => {
      client.pause();
      const end = 5 + flight.readUInt16BE(3);
      const hello = flight.subarray(5, end);
      const size = Math.ceil(hello.length / records);
      const bytes = Buffer.concat([asRecords(hello, Array(records).fill(size)), flight.subarray(end)]);
      for (let at = 0; at < bytes.length; at += segment) {
        server.write(bytes.subarray(at, at + segment));
        await new Promise(setImmediate);
      }
      client.pipe(server);
    });
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  return relay;
}

test('a hello in 2, 3 or 20 records, in 1-byte segments, or with a post-quantum key share reaches its own edge', async () => {
  for (const [records, segment, ecdhCurve] of [
    [2, 4096, 'X25519'],
    [3, 4096, 'X25519MLKEM768'],
    [20, 4096, 'X25519MLKEM768'],
    [1, 1, 'X25519MLKEM768'],
    [20, 1, 'X25519'],
  ] as const) {
    const relay = await splitting(records, segment);
    const { port } = relay.address() as { port: number };
    const servername = `x.wild.${SHARED}`;
    const socket = connect({ port, host: '127.0.0.1', servername, ca: platform.ca, ecdhCurve });
    await once(socket, 'secureConnect');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write(get(servername));
    await closing(socket);
    relay.close();
    assert.match(text, /this is x\.wild$/, `${records} records, segments of ${segment}`);
  }
});

test('a connection made for one name serves no other: 421, on the first and on the second request', async () => {
  const put = await platform.api('PUT', `${edgeOf('strict')}/mutual_tls`, { certificate_authority_ids: [] });
  assert.equal(put.status, 200);
  for (const other of [
    `strict.${SHARED}`,
    `beta.${SHARED}`,
    `a.wild.${SHARED}`,
    `nobody.${SHARED}`,
    `api.${SHARED}`,
  ]) {
    const alpha = `alpha.${SHARED}`;
    assert.deepEqual(statuses(await rawHttp(platform, alpha, get(other))), [421], other);
    const second = await rawHttp(platform, alpha, get(alpha, '') + get(other));
    assert.deepEqual(statuses(second), [200, 421], other);
    assert.doesNotMatch(second, /this is (?!alpha)/);
  }
  const api = await rawHttp(platform, `api.${SHARED}`, get(`alpha.${SHARED}`));
  assert.deepEqual(statuses(api), [421]);
});

test('mutual TLS with an empty list of authorities denies everybody, and the API shows that it is on', async () => {
  const { json } = await platform.api('PUT', `${edgeOf('strict')}/mutual_tls`, {
    certificate_authority_ids: [],
  });
  assert.deepEqual(json, { enabled: true, certificate_authorities: [] });
  assert.doesNotMatch(await served(`strict.${SHARED}`), /^HTTP\/1\.1 2|this is strict/);
});

/** A connection that has got its answer, and what it was given to resume with. */
async function visit(
  label: string,
  session?: Buffer,
): Promise<{ resumed: boolean; ticket: Buffer | undefined }> {
  const servername = `${label}.${SHARED}`;
  const options = { host: '127.0.0.1', port: platform.port, servername, ca: platform.ca };
  const socket = connect(session === undefined ? options : { ...options, session });
  let ticket: Buffer | undefined;
  socket.on('session', (made: Buffer) => {
    ticket = made;
  });
  await once(socket, 'secureConnect');
  const resumed = socket.isSessionReused();
  socket.resume();
  socket.write(get(servername));
  await closing(socket);
  return { resumed, ticket };
}

test('a session ticket of one edge resumes no session of another', async () => {
  const { ticket } = await visit('alpha');
  assert.ok(ticket !== undefined);
  assert.equal((await visit('alpha', ticket)).resumed, true);
  for (const label of ['beta', 'x.wild', 'n1']) assert.equal((await visit(label, ticket)).resumed, false);
});

test('min_version 1.3 turns a client of 1.2 away with an alert, and is refused where the edge passes TLS through', async () => {
  const path = `${edgeOf('beta')}/tls_termination`;
  await platform.api('PUT', path, { terminate_at: 'edge', min_version: '1.3' });
  await assert.rejects(platform.client.tls(`beta.${SHARED}`, { maxVersion: 'TLSv1.2' }), /protocol version/i);
  assert.match(await served(`beta.${SHARED}`), /this is beta$/);
  const refused = await platform.api('PUT', path, { terminate_at: 'upstream', min_version: '1.3' });
  assert.equal(refused.status, 400);
  assert.equal(refused.json.error_code, 'ERR_SERVICE_60120');
});

test('visitors with kept-alive connections notice nothing of changes of the TLS settings that they meet', async () => {
  const path = `${edgeOf('alpha')}/tls_termination`;
  const url = new URL(`https://alpha.${SHARED}:${platform.port}/`);
  const statuses = new Set<number>();
  let changing = true;
  const visitors = Array.from({ length: 8 }, async () => {
    while (changing) statuses.add((await platform.client.request(url)).status);
  });
  for (const min_version of ['1.3', '1.2', '1.3', '1.2', '1.3', '1.2'])
    await platform.api('PUT', path, { terminate_at: 'edge', min_version });
  changing = false;
  await Promise.all(visitors);
  assert.deepEqual([...statuses], [200]);
});

test('a module that is disabled is off, which is not the same as one that was never set', async () => {
  const path = edgeOf('off');
  const off = { enabled: false, certificate_authority_ids: [] };
  assert.equal((await platform.api('PUT', `${path}/mutual_tls`, off)).status, 200);
  assert.match(await served(`off.${SHARED}`), /this is off$/);
  assert.equal((await platform.api('GET', `${path}/mutual_tls`)).json.enabled, false);
  assert.equal((await platform.api('GET', `${path}/ip_restriction`)).status, 404);

  const backend_id = edges.get('off')?.backendId;
  await platform.api('PUT', `${path}/backend`, { enabled: false, backend_id });
  assert.equal(await served(`off.${SHARED}`), '', 'a TLS edge without a backend has nothing to say in TLS');
  await platform.api('PUT', `${path}/backend`, { backend_id });
  await platform.api('PUT', `${path}/tls_termination`, { enabled: false, terminate_at: 'edge' });
  assert.match(
    await served(`off.${SHARED}`),
    /^refused/,
    'TLS passes through, and a fixed response is no TLS server',
  );
});

test('a change of an edge applies to the next request of a kept-alive connection, and its deletion ends it', async () => {
  const { edgeId } = await fixedEdge(platform, 'moving', 'before');
  const name = `moving.${SHARED}`;
  const socket = await platform.client.tls(name);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const closed = closing(socket);
  const next = async (): Promise<string> => {
    text = '';
    socket.write(get(name, ''));
    while (!/\r\n\r\n./s.test(text) && !socket.destroyed) {
      await Promise.race([once(socket, 'data').catch(() => {}), closed]);
    }
    return text;
  };
  assert.match(await next(), /before$/);
  const { json } = await platform.api('POST', '/backends/http_response', { body: 'after!' });
  await platform.api('PATCH', `/edges/tls/${edgeId}`, { backend: { backend_id: json.id } });
  assert.match(await next(), /after!$/);
  await platform.api('PATCH', `/backends/http_response/${json.id}`, { body: 'edited' });
  assert.match(await next(), /edited$/);
  await platform.api('PUT', `/edges/tls/${edgeId}/backend`, { enabled: false, backend_id: json.id });
  assert.equal(await next(), '', 'a TLS edge without a backend ends what it has');
  await platform.api('DELETE', `/edges/tls/${edgeId}`);
  assert.doesNotMatch(await served(name), /^HTTP\/1\.1 2|edited/);
});
