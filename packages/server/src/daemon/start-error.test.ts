import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MasterKeyError } from '../pki/master-key.ts';
import { SealError } from '../pki/seal.ts';
import { StoreOpenError } from '../store/open-error.ts';
import { StoreRefusedError, StoreUnavailableError, WriteOutcomeUnknownError } from '../store/store.ts';
import { ListenError } from '../system/listen.ts';
import { UnreadableFile } from '../system/named-file.ts';
import { HostCertificateError } from '../tunnels/ssh/host-keys.ts';
import { asStartError, StartError, type StartFacts } from './start-error.ts';

const at = (port: number) => ({ host: '127.0.0.1', port });
const facts: StartFacts = {
  settings: { dataDir: '/data', listen: at(443), httpListen: at(80), sshListen: null },
  adminListen: at(9090),
  dnsListen: null,
  links: { listen: null },
};
const ofSystem = (code: string) => Object.assign(new Error(`${code}: the cause`), { code });
const unheard = (port: number, code: string) => new ListenError(at(port), ofSystem(code));

const remedies: readonly (readonly [Error, RegExp])[] = [
  [unheard(443, 'EADDRINUSE'), /127\.0\.0\.1:443: another process .*: choose another address with --listen$/],
  [unheard(9090, 'EADDRINUSE'), /choose another address with --admin-listen$/],
  [
    unheard(80, 'EACCES'),
    /: choose a higher port with --http-listen, or make a service with "underpassd setup"/,
  ],
  [unheard(5, 'EADDRINUSE'), /choose another address with --listen, --http-listen, .* --admin-listen$/],
  [new SealError('the cause'), /the cause: put back the master\.key .* \/data, or set UNDERPASS_MASTER_KEY/],
  [new StoreOpenError('locked', 'the cause and the remedy'), /^the cause and the remedy$/],
  [new MasterKeyError('the cause and the remedy'), /^the cause and the remedy$/],
  [new HostCertificateError('the cause and the remedy'), /^the cause and the remedy$/],
  [new StoreRefusedError('the cause'), /refuses what the start needs: the cause\. Change what it names/],
  [new UnreadableFile('/data/ca.pem', 'is no regular file'), /ca\.pem.*is no regular file: move it away/],
  [new StoreUnavailableError('the cause'), /went away during the start \(the cause\): start again/],
  [new WriteOutcomeUnknownError('the cause'), /went away during the start \(the cause\): start again/],
  ...['EACCES', 'EPERM', 'EROFS'].map(
    (code) => [ofSystem(code), /\/data is not writable \(E.*: give/] as const,
  ),
  [ofSystem('ENOSPC'), /disk of the data dir \/data is full \(ENOSPC: .*\): make room/],
  ...['ENOENT', 'ENOTDIR', 'EEXIST'].map(
    (code) => [ofSystem(code), /\/data cannot be made \(E.*: choose another with --data-dir/] as const,
  ),
];

test('each error of a start that the operator can mend names the cause and the remedy', () => {
  for (const [error, words] of remedies) {
    const found = asStartError(error, facts);
    assert.ok(found instanceof StartError, `${error.name}: ${error.message}`);
    assert.match(found.message, words);
  }
});

test('any other error of a start stays as it is', () => {
  for (const error of [new Error('a fault of the program'), ofSystem('EMFILE')])
    assert.equal(asStartError(error, facts), error);
});
