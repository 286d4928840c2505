/** The layers as a picture in text, the uppermost first. */
import type { Folder, Layer } from './layers.ts';

const WIDTH = 12;

/** `name`: of the folder that the layers are inside of. */
export function picture(layers: readonly Layer[], name: string): string {
  const drawn = layers.toReversed().map((layer) => layer.map((folder) => lines(folder, name)).join('\n'));
  return drawn.join(`\n${'-'.repeat(WIDTH)}\n`);
}

function lines({ name, what, inside }: Folder, parent: string): string {
  const own = shown(name, parent);
  const line = `${own.padEnd(WIDTH)} ${what}`;
  if (inside === undefined || inside === 'any') return line;
  const order = inside.toReversed().map((layer) => layer.map((folder) => shown(folder.name, own)).join(', '));
  return `${line}\n${' '.repeat(WIDTH)} ${order.join(' > ')}`;
}

function shown(name: string, parent: string): string {
  return name === '.' ? parent : name;
}
