import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { fileEntry } from '../archives/entry.ts';
import { serviceUnit } from './daemon-package.ts';
import { deb, debName } from './deb.ts';
import { rpm, rpmName } from './rpm.ts';
import { rpmHeader } from './rpm-header.ts';

const root = join(import.meta.dirname, '../../..');
const files = [
  fileEntry('usr/bin/underpassd', 'program', 0o755),
  fileEntry('etc/underpass/underpassd.yaml', 'a: 1\n'),
];
const facts = { version: '1.2.3-rc.1', time: 1_700_000_000, platform: 'linux-x64' } as const;
const LEAD = 96;

test('the unit starts the executable as a user of its own', () => {
  const unit = serviceUnit(readFileSync(join(root, 'deploy/systemd/underpassd.service'), 'utf8'));
  assert.match(unit, /^ExecStart=\/usr\/bin\/underpassd serve --config \/etc\/underpass\/underpassd.yaml$/m);
  assert.match(unit, /^User=underpass$/m);
  assert.doesNotMatch(unit, /\/opt\/|DynamicUser|NODE_/);
  assert.throws(() => serviceUnit('[Service]\n'), /has no/);
});

test('a Debian package has three members, and a version that sorts before the release', async () => {
  const content = await deb(files, facts);
  assert.equal(debName(facts), 'underpassd_1.2.3-rc.1_amd64.deb');
  const names: string[] = [];
  let at = 8;
  while (at < content.length) {
    names.push(content.toString('latin1', at, at + 16).trim());
    const bytes = Number(content.toString('latin1', at + 48, at + 58));
    if (names.at(-1) === 'control.tar.gz')
      assert.match(
        gunzipSync(content.subarray(at + 60, at + 60 + bytes)).toString(),
        /^Version: 1\.2\.3~rc\.1$/m,
      );
    at += 60 + bytes + (bytes % 2);
  }
  assert.equal(at, content.length);
  assert.deepEqual(names, ['debian-binary', 'control.tar.gz', 'data.tar.gz']);
});

test('the digests of an RPM package are those of its parts', async () => {
  const content = await rpm(files, facts);
  assert.equal(rpmName(facts), 'underpassd-1.2.3-rc.1-1.x86_64.rpm');
  const signature = headerAt(content, LEAD);
  const header = headerAt(content, signature.end + (-(signature.end - LEAD) & 7));
  const payload = content.subarray(header.end);
  assert.equal(signature.string(273), hash('sha256', content.subarray(header.start, header.end), 'hex'));
  assert.equal(header.string(5092), hash('sha256', payload, 'hex'));
  assert.equal(header.string(1001), '1.2.3~rc.1');
  const unpacked = gunzipSync(payload);
  assert.ok(unpacked.includes('./usr/bin/underpassd\0') && unpacked.length % 4 === 0);
  assert.deepEqual(await rpm(files.toReversed(), facts), content);
});

interface Header {
  readonly start: number;
  readonly end: number;
  readonly string: (tag: number) => string;
}

function headerAt(content: Buffer, start: number): Header {
  assert.equal(content.toString('hex', start, start + 4), '8eade801');
  const [count, bytes] = [content.readUInt32BE(start + 8), content.readUInt32BE(start + 12)];
  const store = start + 16 + count * 16;
  const string = (tag: number): string => {
    for (let index = 0; index < count; index++) {
      const entry = start + 16 + index * 16;
      if (content.readUInt32BE(entry) !== tag) continue;
      const from = store + content.readUInt32BE(entry + 8);
      return content.toString('utf8', from, content.indexOf(0, from));
    }
    throw new Error(`no tag ${tag}`);
  };
  return { start, end: store + bytes, string };
}

test('numbers of a header begin at multiples of their width', () => {
  const header = rpmHeader(
    63,
    new Map([
      [1000, { kind: 'string', value: 'ab' }],
      [1009, { kind: 'int32', values: [7] }],
    ]),
  );
  const { start, end } = headerAt(header, 0);
  assert.deepEqual([start, end], [0, header.length]);
  const offset = header.readUInt32BE(16 + 2 * 16 + 8);
  assert.equal(offset % 4, 0);
  assert.equal(header.readUInt32BE(16 + 3 * 16 + offset), 7);
});
