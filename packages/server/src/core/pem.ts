/**
 * Parses PEM blocks (RFC 7468) in texts from editors, shells and configuration files.
 *
 * Invariant: no block is silently dropped.
 */

export interface PemBlock {
  /** The label, such as `CERTIFICATE`. */
  readonly label: string;
  /** True if it has header lines such as `Proc-Type` (RFC 1421). */
  readonly hasHeaders: boolean;
  readonly der: Buffer;
  /** The block alone, in lines of 64 characters. */
  readonly text: string;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Removes a byte order mark, replaces escaped line ends (`
 * `), and puts each marker on its own line.
 */
function cleanArmour(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\\r\\n|\\n|\\r/g, '\n')
    .replace(/-----(?:BEGIN|END) [A-Z0-9 ]+-----/g, '\n$&\n');
}

/**
 * Ignores text outside of blocks, which is explanatory. Returns null for a block without end, or with content that is
 * not base64.
 */
export function parsePem(text: string): readonly PemBlock[] | null {
  const blocks: PemBlock[] = [];
  let label: string | null = null;
  let lines: string[] = [];
  for (const raw of cleanArmour(text).split(/\r\n|\n|\r/)) {
    const line = raw.trim();
    const [, mark, name] = /^-----(BEGIN|END) ([A-Z0-9 ]+)-----$/.exec(line) ?? [];
    if (mark === 'BEGIN' && name !== undefined && label === null) {
      label = name;
      lines = [];
    } else if (mark === 'END' && name === label && label !== null) {
      const block = readBlock(label, lines);
      if (block === null) return null;
      blocks.push(block);
      label = null;
    } else if (mark !== undefined) {
      return null;
    } else if (label !== null) {
      lines.push(line);
    }
  }
  return label === null ? blocks : null;
}

function afterHeaders(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== '');
  return lines.slice(lines.indexOf('', first) + 1);
}

function readBlock(label: string, lines: readonly string[]): PemBlock | null {
  // Headers end at an empty line. Their values may continue on the next lines.
  const hasHeaders = lines.some((line) => line.includes(':'));
  const content = (hasHeaders ? afterHeaders(lines) : lines).join('').replace(/[ \t]+/g, '');
  if (!base64.test(content)) return null;
  const body = content.replace(/.{64}(?=.)/g, '$&\n');
  return {
    label,
    hasHeaders,
    der: Buffer.from(content, 'base64'),
    text: `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`,
  };
}
