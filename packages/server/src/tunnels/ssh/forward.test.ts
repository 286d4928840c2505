import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../../test/harness/any-character.ts';
import { Problem } from '../../errors/problem.ts';
import { readCommand } from './command.ts';
import { toBind } from './forward.ts';

const publicPort = 8443;

function bind(text: string, address: string, port: number): Record<string, unknown> {
  const command = readCommand(text);
  assert.notEqual(command, 'help');
  return command === 'help' ? {} : toBind(command, { address, port }, publicPort);
}

function refusal(text: string, address: string, port: number): string {
  try {
    bind(text, address, port);
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error.code;
  }
  return '';
}

const unnamed = { Domain: '', Hostname: '', Subdomain: '' };
const plain = { Extra: { Metadata: '' } };

describe('what a client forwards and runs', () => {
  it('is a bind without a name where none was given', () => {
    for (const address of ['', '*', 'localhost', '0.0.0.0', '::', '127.0.0.1', '::1'])
      assert.deepEqual(bind('http', address, 443), { Proto: 'https', Opts: unnamed, ...plain });
  });

  it('is one with the name that stands before the port, or in a flag', () => {
    const opts = (command: string, address = '') => bind(command, address, 0).Opts;
    assert.deepEqual(opts('http', 'a.example.com'), { ...unnamed, Domain: 'a.example.com' });
    assert.deepEqual(opts('tls', '*.example.com'), { ...unnamed, Domain: '*.example.com' });
    assert.deepEqual(opts('http --hostname=b.example.com'), { ...unnamed, Hostname: 'b.example.com' });
    assert.deepEqual(opts('  http   --subdomain  c '), { ...unnamed, Subdomain: 'c' });
  });

  it('is HTTP at port 80, unless a scheme says otherwise', () => {
    assert.equal(bind('http', '', 80).Proto, 'http');
    assert.equal(bind('http', '', publicPort).Proto, 'https');
    assert.equal(bind('http --schemes https', '', 80).Proto, 'https');
    assert.equal(refusal('http --schemes http,https', '', 80), 'sshFlagMalformed');
  });

  it('takes a reserved address with its port, or neither', () => {
    assert.deepEqual(bind('tcp', '', 0).Opts, { Addr: '' });
    assert.deepEqual(bind('tcp', '1.tcp.example.com', 20001).Opts, { Addr: '1.tcp.example.com:20001' });
    assert.deepEqual(bind('tcp --remote-addr x:1', '', 0).Opts, { Addr: 'x:1' });
    assert.equal(refusal('tcp', '', 20001), 'sshTcpPortAlone');
    assert.equal(refusal('tcp', '1.tcp.example.com', 0), 'sshTcpAddressWithoutPort');
    assert.equal(refusal('tcp --remote-addr x:1', 'y', 1), 'sshAddressContradictsRemoteAddr');
  });

  it('says modules as agents do', () => {
    const { Opts, Extra } = bind(
      'http --basic-auth a:b:c --basic-auth d:e --cidr-allow 10.0.0.0/8 --metadata m',
      '',
      0,
    );
    const credentials = [
      { username: 'a', cleartext_password: 'b:c' },
      { username: 'd', cleartext_password: 'e' },
    ];
    const restriction = { allow_cidrs: ['10.0.0.0/8'], deny_cidrs: [] };
    assert.deepEqual(Opts, { ...unnamed, BasicAuth: { credentials }, IPRestriction: restriction });
    assert.deepEqual(Extra, { Metadata: 'm' });
    assert.deepEqual(bind('tcp --proxy-proto 2', '', 0).Opts, { Addr: '', ProxyProto: 2 });
  });

  const bad: readonly (readonly [string, string, number, string])[] = [
    ['', '', 80, 'sshCommandMissing'],
    ['bash -i', '', 80, 'sshCommandUnknown'],
    ['http -x', '', 80, 'sshFlagUnsupported'],
    ['http --constructor x', '', 80, 'sshFlagUnsupported'],
    ['tcp --basic-auth a:b', '', 0, 'sshFlagUnsupported'],
    ['http --hostname', '', 80, 'sshFlagMalformed'],
    ['http --hostname a --hostname b', '', 80, 'sshFlagMalformed'],
    ['http --hostname=', '', 80, 'sshFlagMalformed'],
    ['http --basic-auth nobody', '', 80, 'sshFlagMalformed'],
    ['http --proxy-proto 3', '', 80, 'sshProxyProtocolUnknown'],
    ['http', '', 22, 'sshPortInvalid'],
    ['tls', '', 80, 'sshPortInvalid'],
    ['http', '', 0xffff_ffff, 'sshPortInvalid'],
  ];
  for (const [text, address, port, code] of bad)
    it(`"${text}" at ${port} is refused`, () => assert.equal(refusal(text, address, port), code));

  it('is refused by name or understood, whatever it is', () => {
    const first = fc.constantFrom('http ', 'tcp ', 'tls ', '');
    const text = fc.string({ unit: anyCharacter });
    fc.assert(
      fc.property(first, text, text, fc.nat(), (protocol, rest, address, port) => {
        if (!rest.includes('help')) refusal(protocol + rest, address, port);
      }),
    );
  });
});
