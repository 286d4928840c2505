/** Writes the list of everything inside a release: SPDX 2.3 in JSON. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReleaseFacts } from './release-facts.ts';

/** A package that is inside. */
export interface Component {
  readonly name: string;
  readonly version: string;
  /** SPDX expression; null: not stated. */
  readonly license: string | null;
  /** SHA-512 of the archive in hex; null: of no registry. */
  readonly sha512: string | null;
  /** Package URL; null: the release itself. */
  readonly purl: string | null;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
}

const PURL = { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl' };
const EXPRESSION = /^[\w.+() -]+$/;

/** `inside`: paths of files in node_modules, any of each package. Returns each package once, by name and version. */
export function componentsOf(root: string, inside: readonly string[]): readonly Component[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;
  const folders = new Set(inside.map((file) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file));
  const components = [...folders].map((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
    const { name, version, license = null } = manifest;
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return { name, version, license, sha512: hexOf(packages[folder]?.integrity), purl };
  });
  const byName = new Map(components.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, component]) => component);
}

/** The SHA-512 in hex of what the lock file writes in base64. */
export function hexOf(integrity: string | undefined): string | null {
  const [, base64] = /^sha512-(.+)$/.exec(integrity ?? '') ?? [];
  return base64 === undefined ? null : Buffer.from(base64, 'base64').toString('hex');
}

/** Returns the document. `components`: everything inside, Node included. */
export function sbom(components: readonly Component[], { version, time, commit }: ReleaseFacts): string {
  const own = { name: 'underpass', version, license: 'Apache-2.0', sha512: null, purl: null };
  const described = [own, ...components].map((component) => ({ id: idOf(component), component }));
  const [whole] = described;
  const document = {
    ...{ spdxVersion: 'SPDX-2.3', dataLicense: 'CC0-1.0', SPDXID: 'SPDXRef-DOCUMENT' },
    name: `underpass-${version}`,
    documentNamespace: `https://spdx.org/spdxdocs/underpass-${version}-${commit ?? time}`,
    creationInfo: {
      created: new Date(time * 1000).toISOString().replace('.000Z', 'Z'),
      creators: ['Tool: underpass-release'],
    },
    packages: described.map(({ id, component }) => packageOf(id, component)),
    relationships: [
      relation('SPDXRef-DOCUMENT', 'DESCRIBES', whole?.id ?? ''),
      ...described.slice(1).map(({ id }) => relation(whole?.id ?? '', 'CONTAINS', id)),
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function packageOf(id: string, { name, version, license, sha512, purl }: Component): object {
  return {
    ...{ SPDXID: id, name, versionInfo: version, downloadLocation: 'NOASSERTION', filesAnalyzed: false },
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: license !== null && EXPRESSION.test(license) ? license : 'NOASSERTION',
    copyrightText: 'NOASSERTION',
    ...(sha512 === null ? {} : { checksums: [{ algorithm: 'SHA512', checksumValue: sha512 }] }),
    ...(purl === null ? {} : { externalRefs: [{ ...PURL, referenceLocator: purl }] }),
  };
}

function relation(spdxElementId: string, relationshipType: string, relatedSpdxElement: string): object {
  return { spdxElementId, relationshipType, relatedSpdxElement };
}

/** Identifiers have letters, digits, dots and hyphens alone. */
function idOf({ name, version }: Component): string {
  return `SPDXRef-${`${name}-${version}`.replace(/[^A-Za-z0-9.-]+/g, '-').replace(/^-/, '')}`;
}
