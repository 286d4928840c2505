/**
 * A second build of the daemon: a copy of this one's sources with changes as a later version would have them. Commands
 * that run a daemon of either build, which a test can exchange between two starts.
 */
import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A text of a file, which must be there once, and its replacement. */
export type Change = readonly [file: string, found: RegExp, replacement: string];

const REPOSITORY = fileURLToPath(import.meta.resolve('../..'));
const PARTS = ['bin', 'src', 'package.json'];

export const changesOfVersion = (version: string): readonly Change[] => [
  ['package.json', /"version": "[^"]+"/, `"version": "${version}"`],
];

export const changesOfLinks = (version: number, oldest: number): readonly Change[] => [
  ['src/link/hello.ts', /LINK_VERSION = \d+/, `LINK_VERSION = ${version}`],
  ['src/link/hello.ts', /OLDEST_VERSION = \d+/, `OLDEST_VERSION = ${oldest}`],
];

/** New columns in tables that are in use, a new table, and a function of the server with another signature. */
export const changesOfSchema: readonly Change[] = [
  [
    'src/store/postgres/migrations.ts',
    /\n\];\n/,
    `
  \`
  ALTER TABLE underpass.tunnels ADD COLUMN colour TEXT;
  ALTER TABLE underpass.bound_names ADD COLUMN colour TEXT;
  ALTER TABLE underpass.nodes ADD COLUMN colour TEXT NOT NULL DEFAULT 'none';
  ALTER TABLE underpass.documents ADD COLUMN colour TEXT;
  CREATE TABLE underpass.colours (name TEXT COLLATE "C" PRIMARY KEY);
  \`,
];
`,
  ],
  [
    'src/store/postgres/directory.ts',
    /FUNCTION pg_temp\.claim\(subject text, daemon bigint, wish jsonb\)/,
    "FUNCTION pg_temp.claim(subject text, daemon bigint, wish jsonb, colour text DEFAULT 'blue')",
  ],
];

/** Calls and fields that this build does not know. The other build prints the outcomes of its calls. */
export const unknownThings: readonly Change[] = [
  [
    'src/link/hello.ts',
    /return \{ \.\.\.ownVersions, incarnation \}/,
    "return { ...ownVersions, incarnation, colours: ['blue'] } as Hello",
  ],
  ['src/online/hop.ts', /JSON\.stringify\(header\)/, "JSON.stringify({ ...header, colour: 'blue' })"],
  ['src/tunnels/directory/stored.ts', /facts: shown,/, "facts: { ...shown, colour: { of: 'blue' } },"],
  ['src/link/peers.ts', /applied: 9,/, 'applied: 9, greeting: 1000, shout: 1001,'],
  [
    'src/link/peers.ts',
    /\[LinkStream\.applied\]: 1,/,
    '[LinkStream.applied]: 1, [LinkStream.greeting]: 2, [LinkStream.shout]: 1,',
  ],
  [
    'src/daemon/neighbours.ts',
    /peers\.serve\(LinkStream\.hop,/,
    `for (const type of [LinkStream.greeting, LinkStream.shout]) peers.answer(type, () => 'hello');
  peers.onChange((peer) => {
    if (!peer.isUp) return;
    // The other daemon may still be starting.
    const greet = (name: 'greeting' | 'shout', left: number): void => {
      const note = (text: unknown) => console.log(\`\${name} of \${peer.incarnation}: \${text}\`);
      peer.call(LinkStream[name], {}).then(note, ({ message }) => {
        note(message);
        if (left > 0 && peer.isUp) setTimeout(greet, 200, name, left - 1);
      });
    };
    greet('greeting', 20);
    greet('shout', 20);
  });
  peers.serve(LinkStream.hop,`,
  ],
];

/** A message to the supervisor before the worker is ready. */
export const unknownMessage: readonly Change[] = [
  [
    'src/main.ts',
    /const worker = workerFacts\(/,
    "process.send?.({ kind: 'starting' });\nconst worker = workerFacts(",
  ],
];

export class Builds {
  readonly #folder = mkdtempSync(join(tmpdir(), 'underpass-builds-'));
  #count = 0;

  /** Makes a build, and returns its command. */
  make(changes: readonly Change[]): string {
    const root = join(this.#folder, `build-${++this.#count}`);
    mkdirSync(root);
    symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'));
    const command = join(root, 'packages/server/bin/underpassd.js');
    this.replace(command, changes);
    return command;
  }

  /** Replaces the sources of a build in place. */
  replace(command: string, changes: readonly Change[]): void {
    const server = join(command, '../..');
    mkdirSync(server, { recursive: true });
    for (const part of PARTS)
      cpSync(join(REPOSITORY, 'packages/server', part), join(server, part), {
        recursive: true,
        filter: (path) => !path.endsWith('.test.ts'),
      });
    for (const [file, found, replacement] of changes) {
      const path = join(server, file);
      const text = readFileSync(path, 'utf8');
      assert.match(text, found, `${file} has another text`);
      writeFileSync(
        path,
        text.replace(found, () => replacement),
      );
    }
  }

  /** A command that runs a daemon, of this build until `use` names another one. */
  launcher(index: number): string {
    this.use(index, null);
    return this.#launcher(index);
  }

  /** Lets a launcher start another build from now on; null: this one. */
  use(index: number, build: string | null): void {
    const cache = `NODE_COMPILE_CACHE='${join(this.#folder, 'compiled')}'`;
    const command = build === null ? 'exec "$@"' : `shift\nexport ${cache}\nexec '${build}' "$@"`;
    writeFileSync(this.#launcher(index), `#!/bin/sh\n${command}\n`);
    chmodSync(this.#launcher(index), 0o755);
  }

  #launcher(index: number): string {
    return join(this.#folder, `launch-${index}`);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
