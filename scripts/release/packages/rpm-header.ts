/** Writes headers of RPM packages: tagged values behind an index (RPM file format version 4). */

export type RpmValue =
  | { readonly kind: 'int16' | 'int32'; readonly values: readonly number[] }
  | { readonly kind: 'string' | 'text'; readonly value: string }
  | { readonly kind: 'strings'; readonly values: readonly string[] }
  | { readonly kind: 'bytes'; readonly value: Buffer };

const TYPES: Readonly<Record<RpmValue['kind'], number>> = {
  ...{ int16: 3, int32: 4, string: 6, bytes: 7, strings: 8, text: 9 },
};
const WIDTHS: Readonly<Record<string, number>> = { int16: 2, int32: 4 };
const MAGIC = Buffer.from('8eade80100000000', 'hex');
const ENTRY_BYTES = 16;

/** `region`: the tag that marks the values as one immutable region, which signatures cover. */
export function rpmHeader(region: number, values: ReadonlyMap<number, RpmValue>): Buffer {
  const store: Buffer[] = [];
  let bytes = 0;
  const append = (content: Buffer): void => {
    store.push(content);
    bytes += content.length;
  };
  const index = [...values]
    .sort(([one], [other]) => one - other)
    .map(([tag, value]) => {
      const width = WIDTHS[value.kind] ?? 1;
      append(Buffer.alloc(-bytes & (width - 1)));
      const entry = indexEntry(tag, { type: TYPES[value.kind], offset: bytes, count: countOf(value) });
      append(contentOf(value));
      return entry;
    });
  const start = indexEntry(region, { type: TYPES.bytes, offset: bytes, count: ENTRY_BYTES });
  // The end of a region leads back to its start.
  append(
    indexEntry(region, { type: TYPES.bytes, offset: -(index.length + 1) * ENTRY_BYTES, count: ENTRY_BYTES }),
  );
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32BE(index.length + 1);
  sizes.writeUInt32BE(bytes, 4);
  return Buffer.concat([MAGIC, sizes, start, ...index, ...store]);
}

interface Place {
  readonly type: number;
  readonly offset: number;
  readonly count: number;
}

function indexEntry(tag: number, { type, offset, count }: Place): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES);
  for (const [at, value] of [tag, type, offset, count].entries()) entry.writeInt32BE(value, at * 4);
  return entry;
}

function countOf(value: RpmValue): number {
  if (value.kind === 'bytes') return value.value.length;
  return 'values' in value ? value.values.length : 1;
}

function contentOf(value: RpmValue): Buffer {
  switch (value.kind) {
    case 'bytes':
      return value.value;
    case 'string':
    case 'text':
      return Buffer.from(`${value.value}\0`);
    case 'strings':
      return Buffer.from(value.values.map((one) => `${one}\0`).join(''));
    case 'int16':
    case 'int32':
      return numbers(value.values, WIDTHS[value.kind] ?? 4);
  }
}

function numbers(values: readonly number[], width: number): Buffer {
  const content = Buffer.alloc(values.length * width);
  for (const [at, value] of values.entries()) content.writeUIntBE(value, at * width, width);
  return content;
}
