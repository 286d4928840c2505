/** Counts the objects on the heap of a daemon, by type and constructor. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Process } from './process.ts';
import { eventually } from './until.ts';

/** V8's own, which come and go with compiled code, and texts, which bounded caches have thousands of. */
const NOT_COUNTED = [
  ...['code', 'hidden', 'number', 'object shape', 'synthetic'],
  ...['string', 'concatenated string', 'sliced string', 'symbol'],
];

export type HeapCounts = ReadonlyMap<string, number>;

interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[], ...unknown[]];
    };
  };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

export class HeapWatch {
  readonly #folder = mkdtempSync(join(tmpdir(), 'underpass-heap-'));

  get #file(): string {
    return join(this.#folder, 'daemon.heapsnapshot');
  }

  /** Options for `through` of a daemon. */
  get through(): readonly string[] {
    const preload = import.meta.resolve('./heap-snapshots.ts');
    return ['env', `HEAP_SNAPSHOT=${this.#file}`, `NODE_OPTIONS=--import=${preload}`];
  }

  /** Garbage is collected first. */
  async counts(daemon: Process): Promise<HeapCounts> {
    daemon.signal('SIGUSR2');
    await eventually(() => assert.ok(existsSync(this.#file), 'a snapshot of the heap'));
    const counts = countsOf(JSON.parse(readFileSync(this.#file, 'utf8')));
    rmSync(this.#file);
    return counts;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function countsOf({ snapshot, nodes, strings }: Snapshot): HeapCounts {
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, name] = [fields.indexOf('type'), fields.indexOf('name')];
  const counts = new Map<string, number>();
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = types[0][nodes[at + type]!] ?? '';
    if (NOT_COUNTED.includes(kind)) continue;
    const key = `${kind} ${strings[nodes[at + name]!]}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
