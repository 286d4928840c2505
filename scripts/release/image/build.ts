/**
 * Builds the images in the namespace of `inMountNamespace`, and writes their files as a tar archive to the first
 * argument, and their settings as JSON to the second. The third is the time of all files.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildImages, imageFolder } from '../../image/images.ts';
import { fileEntry } from '../archives/entry.ts';
import { tar } from '../archives/tar.ts';
import { filesOf } from './files.ts';
import { ACCOUNTS } from './oci.ts';

const folder = imageFolder(process.env);
if (folder === null) throw new Error('npm run release starts this in a mount namespace');
const image = buildImages(join(import.meta.dirname, '../../..'), folder);
const [layer = '', settings = '', time = ''] = process.argv.slice(2);
const [agent, daemon] = [image('agent'), image('daemon')];
if (agent.root !== daemon.root) throw new Error('the images have different files');
const accounts = Object.entries(ACCOUNTS).map(([path, text]) => fileEntry(path, text));
const etc = { kind: 'folder', path: 'etc', mode: 0o755 } as const;
writeFileSync(layer, tar([...filesOf(agent.root), etc, ...accounts], Number(time)));
writeFileSync(settings, JSON.stringify({ underpass: agent.settings, underpassd: daemon.settings }));
