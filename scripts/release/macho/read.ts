/** Reads the load commands of a Mach-O file of 64 bits (Apple's `mach-o/loader.h`). */

const MAGIC_64 = 0xfeedfacf;
export const HEADER_BYTES = 32;
const SEGMENT_64 = 0x19;
export const CODE_SIGNATURE = 0x1d;
const SECTION_BYTES = 80;

export interface Segment {
  readonly name: string;
  /** Offset of its load command. */
  readonly at: number;
  readonly address: number;
  readonly memoryBytes: number;
  readonly offset: number;
  readonly bytes: number;
  readonly sections: readonly { readonly name: string; readonly offset: number; readonly bytes: number }[];
}

export interface MachO {
  readonly processor: 'x64' | 'arm64';
  /** End of the load commands. */
  readonly commandsEnd: number;
  readonly segments: readonly Segment[];
  readonly signature: { readonly offset: number; readonly bytes: number } | null;
}

const PROCESSORS: Readonly<Record<number, MachO['processor']>> = { 16777223: 'x64', 16777228: 'arm64' };

/** Throws an Error that names the fault. */
export function readMachO(file: Buffer): MachO {
  if (file.length < HEADER_BYTES || file.readUInt32LE(0) !== MAGIC_64)
    throw new Error('the file is no Mach-O file of 64 bits');
  const processor = PROCESSORS[file.readUInt32LE(4)];
  if (processor === undefined) throw new Error('the Mach-O file is for an unknown processor');
  const commandsEnd = HEADER_BYTES + file.readUInt32LE(20);
  if (commandsEnd > file.length) throw new Error('the load commands end after the file');
  const segments: Segment[] = [];
  let signature: MachO['signature'] = null;
  let at = HEADER_BYTES;
  for (let left = file.readUInt32LE(16); left > 0; left--) {
    const bytes = at + 8 <= commandsEnd ? file.readUInt32LE(at + 4) : 0;
    if (bytes < 8 || at + bytes > commandsEnd) throw new Error(`the load command at ${at} is cut off`);
    const kind = file.readUInt32LE(at);
    if (kind === SEGMENT_64) segments.push(segmentAt(file, at));
    if (kind === CODE_SIGNATURE) {
      if (signature !== null) throw new Error('the file has two signatures');
      signature = { offset: file.readUInt32LE(at + 8), bytes: file.readUInt32LE(at + 12) };
    }
    at += bytes;
  }
  if (at !== commandsEnd) throw new Error('the load commands have another length than the header states');
  return { processor, commandsEnd, segments, signature };
}

/** Returns the segment of this name. Throws if there is none. */
export function segmentOf({ segments }: MachO, name: string): Segment {
  const found = segments.find((segment) => segment.name === name);
  if (found === undefined) throw new Error(`the file has no segment ${name}`);
  return found;
}

function segmentAt(file: Buffer, at: number): Segment {
  const count = file.readUInt32LE(at + 64);
  const sections = Array.from({ length: count }, (_, index) => {
    const section = at + 72 + index * SECTION_BYTES;
    return {
      name: nameAt(file, section),
      offset: file.readUInt32LE(section + 48),
      bytes: number64(file, section + 40),
    };
  });
  return {
    ...{ name: nameAt(file, at + 8), at, sections },
    ...{ address: number64(file, at + 24), memoryBytes: number64(file, at + 32) },
    ...{ offset: number64(file, at + 40), bytes: number64(file, at + 48) },
  };
}

function nameAt(file: Buffer, at: number): string {
  return file.toString('latin1', at, at + 16).replace(/\0.*$/s, '');
}

function number64(file: Buffer, at: number): number {
  return Number(file.readBigUInt64LE(at));
}
