/**
 * Makes a single executable: Node with a script and files in it, which needs no Node on the target.
 * The script is stored as text, because compiled code and heaps fit one platform only.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { signAdHoc } from './macho/sign.ts';
import { withoutSignature } from './pe.ts';
import type { Platform } from './platforms.ts';
import type { Program } from './program.ts';

/** `node`: the Node of the platform. `folder`: for files in between. Returns the executable. */
export function makeExecutable(program: Program, platform: Platform, node: string, folder: string): Buffer {
  const output = `${program.name}${platform.extension}`;
  const main = `${program.name}.mjs`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, main), program.script);
  // Paths are relative, because the executable contains the path of the script.
  const config = {
    ...{ main, output, executable: node, mainFormat: 'module', disableExperimentalSEAWarning: true },
    ...{ useSnapshot: false, useCodeCache: false, execArgv: program.flags },
    assets: writeAssets(program, folder),
  };
  writeFileSync(join(folder, `${program.name}.json`), JSON.stringify(config));
  execFileSync(process.execPath, ['--build-sea', `${program.name}.json`], {
    ...{ cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  });
  const built = readFileSync(join(folder, output));
  rmSync(join(folder, output));
  return finished(built, program, platform);
}

/** The signature of the vendor is of other bytes: it is replaced or removed. */
function finished(built: Buffer, { name }: Program, { format }: Platform): Buffer {
  switch (format) {
    case 'macho':
      return signAdHoc(built, name);
    case 'pe':
      return withoutSignature(built);
    case 'elf':
      return built;
  }
}

/** Returns the path of each asset by its name. */
function writeAssets({ name: program, assets }: Program, folder: string): Readonly<Record<string, string>> {
  const paths = [...assets].map(([name, content]) => {
    const path = join('assets', program, name);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    return [name, path] as const;
  });
  return Object.fromEntries(paths);
}
