/**
 * Builds the images in the namespace of `inMountNamespace`. The first argument is JSON of the type `Building`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildImages, imageFolder } from '../../image/images.ts';
import { fileEntry } from '../archives/entry.ts';
import { tar } from '../archives/tar.ts';
import { filesOf, forProcessor } from './files.ts';
import { librariesOf } from './libraries.ts';
import { ACCOUNTS } from './oci.ts';

/** Files to write, and facts about them. */
export interface Building {
  /** Path of the tar archive of the files, for the processor of this machine; null: none is wanted. */
  readonly layer: string | null;
  /** The same for arm64 on another machine: its Node, and a folder for files in between. */
  readonly other: { readonly layer: string; readonly node: string; readonly folder: string } | null;
  /** Path of the settings of the images, as JSON. */
  readonly settings: string;
  /** Time of all files in seconds since the epoch. */
  readonly time: number;
}

const folder = imageFolder(process.env);
if (folder === null) throw new Error('npm run release starts this in a mount namespace');
const image = buildImages(join(import.meta.dirname, '../../..'), folder);
const { layer, other, settings, time } = JSON.parse(process.argv[2] ?? '') as Building;
const [agent, daemon] = [image('agent'), image('daemon')];
if (agent.root !== daemon.root) throw new Error('the images have different files');
const accounts = Object.entries(ACCOUNTS).map(([path, text]) => fileEntry(path, text));
const etc = { kind: 'folder', path: 'etc', mode: 0o755 } as const;
const files = [...filesOf(agent.root), etc, ...accounts];
if (layer !== null) writeFileSync(layer, tar(files, time));
if (other !== null) {
  const node = readFileSync(other.node);
  writeFileSync(other.layer, tar(forProcessor(files, node, librariesOf(node, other.folder)), time));
}
writeFileSync(settings, JSON.stringify({ underpass: agent.settings, underpassd: daemon.settings }));
