/** A program and its Node in one file: recognizes it, and reads the files inside. */

/** Node's module about single executables. Other runtimes have none. */
const sea = process.getBuiltinModule?.('node:sea');

/** Returns true if the program and its Node are one file. It starts again without a script and without flags. */
export function isSingleExecutable(): boolean {
  return sea?.isSea() === true;
}

/** Returns a file that `npm run release` put into the executable; null for a script, which reads its own folder. */
export function embeddedFile(name: string): Buffer | null {
  return sea?.isSea() === true ? Buffer.from(sea.getRawAsset(name)) : null;
}
