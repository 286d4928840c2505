/** Writes an RPM package (file format version 4), without a signature of a vendor. */
import { hash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { cpio } from '../archives/cpio.ts';
import { type Entry, sortedEntries } from '../archives/entry.ts';
import { gzipped } from '../archives/tar.ts';
import type { LinuxName } from '../platforms.ts';
import { CONFIG_FILE, DESCRIPTION, LICENSE, NAME, packageScripts, SUMMARY } from './daemon-package.ts';
import { type RpmValue, rpmHeader } from './rpm-header.ts';

const ARCHITECTURES: Readonly<Record<LinuxName, string>> = {
  'linux-x64': 'x86_64',
  'linux-arm64': 'aarch64',
};
const LEAD_ARCHITECTURES: Readonly<Record<LinuxName, number>> = { 'linux-x64': 1, 'linux-arm64': 19 };

const RELEASE = '1';
const REGION_SIGNATURES = 62;
const REGION_HEADER = 63;
const SHA256 = 8;
const REGULAR_FILE = 0o100000;
/** Flags of files: a config file that an upgrade does not replace, and a licence. */
const CONFIG_NOREPLACE = 1 | 16;
const LICENSE_FILE = 128;
const EQUAL = 8;
const LESS_EQUAL = 2 | EQUAL;
const OF_RPM = 1 << 24;

/** Libraries that Node is linked with, and programs of the scripts. */
const NEEDS = [
  ...['/bin/sh', '/usr/sbin/useradd', 'libatomic.so.1()(64bit)', 'libc.so.6(GLIBC_2.28)(64bit)'],
  ...['libgcc_s.so.1()(64bit)', 'libstdc++.so.6(GLIBCXX_3.4.21)(64bit)'],
].map((name) => ({ name, flags: 0, version: '' }));
const FEATURES = [
  ...[['CompressedFileNames', '3.0.4-1'] as const, ['FileDigests', '4.6.0-1'] as const],
  ['PayloadFilesHavePrefix', '4.0-1'] as const,
].map(([name, version]) => ({ name: `rpmlib(${name})`, flags: OF_RPM | LESS_EQUAL, version }));

interface RpmFacts {
  readonly version: string;
  readonly time: number;
  readonly platform: LinuxName;
}

export function rpmName({ version, platform }: RpmFacts): string {
  return `${NAME}-${version}-${RELEASE}.${ARCHITECTURES[platform]}.rpm`;
}

/** `entries`: files only. */
export async function rpm(entries: readonly Entry[], facts: RpmFacts): Promise<Buffer> {
  const files = sortedEntries(entries.flatMap((entry) => (entry.kind === 'file' ? [entry] : [])));
  const unpacked = cpio(files, facts.time);
  const payload = await gzipped(unpacked);
  const header = rpmHeader(
    REGION_HEADER,
    new Map([...about(facts), ...scripts(), ...contents(files, facts.time), ...payloadFacts(payload)]),
  );
  const signature = signatures(header, payload, unpacked.length);
  const padding = Buffer.alloc(-signature.length & 7);
  return Buffer.concat([lead(facts), signature, padding, header, payload]);
}

type Tags = readonly (readonly [tag: number, value: RpmValue])[];
const string = (value: string): RpmValue => ({ kind: 'string', value });
const text = (value: string): RpmValue => ({ kind: 'text', value });
const strings = (values: readonly string[]): RpmValue => ({ kind: 'strings', values });
const int32 = (...values: readonly number[]): RpmValue => ({ kind: 'int32', values });
const int16 = (...values: readonly number[]): RpmValue => ({ kind: 'int16', values });

/** An old part of the format: only its magic number, its version and its kind are read today. */
function lead({ version, platform }: RpmFacts): Buffer {
  const content = Buffer.alloc(96);
  content.set([0xed, 0xab, 0xee, 0xdb, 3, 0]);
  content.writeUInt16BE(LEAD_ARCHITECTURES[platform], 8);
  content.write(`${NAME}-${version}-${RELEASE}`.slice(0, 65), 10);
  content.writeUInt16BE(1, 76);
  content.writeUInt16BE(5, 78);
  return content;
}

function signatures(header: Buffer, payload: Buffer, unpackedBytes: number): Buffer {
  const both = Buffer.concat([header, payload]);
  return rpmHeader(
    REGION_SIGNATURES,
    new Map([
      [269, string(hash('sha1', header, 'hex'))],
      [273, string(hash('sha256', header, 'hex'))],
      [1000, int32(both.length)],
      [1004, { kind: 'bytes', value: hash('md5', both, 'buffer') }],
      [1007, int32(unpackedBytes)],
    ]),
  );
}

function about({ version, time, platform }: RpmFacts): Tags {
  const rpmVersion = version.replace('-', '~');
  const whole = `${rpmVersion}-${RELEASE}`;
  const needs = [...NEEDS, ...FEATURES];
  return [
    [100, strings(['C'])],
    ...(
      [
        [1000, NAME],
        [1001, rpmVersion],
        [1002, RELEASE],
      ] as const
    ).map(([tag, value]) => [tag, string(value)] as const),
    [1004, text(SUMMARY)],
    [1005, text(DESCRIPTION)],
    [1006, int32(time)],
    [1007, string('localhost')],
    [1014, string(LICENSE)],
    [1016, text('System Environment/Daemons')],
    [1021, string('linux')],
    [1022, string(ARCHITECTURES[platform])],
    [1044, string(`${NAME}-${whole}.src.rpm`)],
    [1047, strings([NAME])],
    [1112, int32(EQUAL)],
    [1113, strings([whole])],
    [1048, int32(...needs.map(({ flags }) => flags))],
    [1049, strings(needs.map(({ name }) => name))],
    [1050, strings(needs.map(({ version }) => version))],
    [1064, string('4.18.0')],
    [5062, string('utf-8')],
  ];
}

/** rpm passes the number of versions that are installed afterwards. */
function scripts(): Tags {
  const { afterInstall, beforeRemove, afterRemove } = packageScripts('[ "$1" -gt 1 ]', '[ "$1" -eq 0 ]');
  const shell = string('/bin/sh');
  return [
    [1024, string(afterInstall)],
    [1025, string(beforeRemove)],
    [1026, string(afterRemove)],
    [1086, shell],
    [1087, shell],
    [1088, shell],
  ];
}

function contents(files: readonly (Entry & { readonly kind: 'file' })[], time: number): Tags {
  const folders = [...new Set(files.map(({ path }) => `/${dirname(path)}/`))];
  const each = <Value>(value: (file: (typeof files)[number], index: number) => Value): Value[] =>
    files.map(value);
  return [
    [1009, int32(files.reduce((sum, { content }) => sum + content.length, 0))],
    [1028, int32(...each(({ content }) => content.length))],
    [1030, int16(...each(({ mode }) => REGULAR_FILE | mode))],
    [1033, int16(...each(() => 0))],
    [1034, int32(...each(() => time))],
    [1035, strings(each(({ content }) => hash('sha256', content, 'hex')))],
    [1036, strings(each(() => ''))],
    [1037, int32(...each(({ path }) => flagsOf(path)))],
    [1039, strings(each(() => 'root'))],
    [1040, strings(each(() => 'root'))],
    [1045, int32(...each(() => 0xffffffff))],
    [1095, int32(...each(() => 1))],
    [1096, int32(...each((_, index) => index + 1))],
    [1097, strings(each(() => ''))],
    [1116, int32(...each(({ path }) => folders.indexOf(`/${dirname(path)}/`)))],
    [1117, strings(each(({ path }) => basename(path)))],
    [1118, strings(folders)],
    [5011, int32(SHA256)],
  ];
}

function flagsOf(path: string): number {
  if (path === CONFIG_FILE) return CONFIG_NOREPLACE;
  return path.endsWith('/copyright') ? LICENSE_FILE : 0;
}

function payloadFacts(payload: Buffer): Tags {
  return [
    [1124, string('cpio')],
    [1125, string('gzip')],
    [1126, string('6')],
    [5092, strings([hash('sha256', payload, 'hex')])],
    [5093, int32(SHA256)],
  ];
}
