/** Writes the manifests of a release for winget: version, installer and texts. */
import { stringify } from 'yaml';
import type { ReleaseList } from '../about.ts';
import { executableOf } from './homebrew.ts';
import type { InstallScript } from './scripts.ts';

const SCHEMA = '1.6.0';
const LOCALE = 'en-US';

/** `folder`: address of the files of this release. No files if it has no executable for Windows. */
export function wingetManifests(list: ReleaseList, folder: string): readonly InstallScript[] {
  const archive = executableOf(list, 'win32-x64');
  if (archive === null) return [];
  const PackageIdentifier = 'Underpass.Underpass';
  const facts = { PackageIdentifier, PackageVersion: list.version };
  const manifest = (type: string, middle: object) => ({
    file: `${PackageIdentifier}${type === 'version' ? '' : `.${type === 'installer' ? type : `locale.${LOCALE}`}`}.yaml`,
    text: textOf(type, { ...facts, ...middle, ManifestType: type, ManifestVersion: SCHEMA }),
  });
  return [
    manifest('version', { DefaultLocale: LOCALE }),
    manifest('installer', {
      InstallerType: 'zip',
      NestedInstallerType: 'portable',
      NestedInstallerFiles: [{ RelativeFilePath: 'underpass.exe', PortableCommandAlias: 'underpass' }],
      ReleaseDate: list.time.slice(0, 10),
      Installers: [
        {
          Architecture: 'x64',
          InstallerUrl: `${folder}/${archive.file}`,
          InstallerSha256: archive.sha256.toUpperCase(),
        },
      ],
    }),
    manifest('defaultLocale', {
      PackageLocale: LOCALE,
      Publisher: 'Underpass',
      PackageName: 'Underpass',
      PackageUrl: folder,
      License: 'Apache-2.0',
      ShortDescription: 'Tunnels and edges of a server of your own: the agent.',
    }),
  ];
}

function textOf(type: string, manifest: object): string {
  return `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.${SCHEMA}.schema.json\n${stringify(manifest)}`;
}
