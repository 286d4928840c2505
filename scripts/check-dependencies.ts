/**
 * Checks the imports of the sources against the layers (scripts/dependencies), and the picture in ARCHITECTURE.md.
 * Prints each breach and exits with 1.
 */
import { readFileSync } from 'node:fs';
import { check, emptyFolders } from './dependencies/check.ts';
import { readImports } from './dependencies/imports.ts';
import { layers, packageRules, server } from './dependencies/layers.ts';
import { picture } from './dependencies/picture.ts';

const imports = readImports();
const broken = [...check(imports, { layers, packageRules }), ...emptyFolders(imports, layers)];
const drawn = picture(server, 'src');
if (!readFileSync('ARCHITECTURE.md', 'utf8').includes(drawn)) {
  broken.push(`ARCHITECTURE.md does not show the layers as they are:\n${drawn}`);
}

for (const line of broken) console.error(line);
if (broken.length > 0) process.exit(1);
console.log('dependency rule: holds');
