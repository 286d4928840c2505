/** Ranges around an address, for rules about it. Pure. */

export interface Range {
  readonly cidr: string;
  readonly label: string;
}

const LENGTHS = {
  4: [
    [32, 'this address only'],
    [28, '16 addresses'],
    [24, '256 addresses'],
    [16, '65,536 addresses'],
  ],
  6: [
    [128, 'this address only'],
    [64, 'one network'],
    [56, '256 networks'],
    [48, '65,536 networks'],
  ],
} as const;

/** Ranges with the address, the narrowest first; empty for what is no address. */
export function rangesOf(address: string): readonly Range[] {
  const text = address.trim();
  const four = fourOf(text);
  if (four !== null)
    return LENGTHS[4].map(([length, label]) => ({
      cidr: `${cut(four, 8, length).join('.')}/${length}`,
      label,
    }));
  const six = sixOf(text);
  if (six === null) return [];
  return LENGTHS[6].map(([length, label]) => {
    const groups = cut(six, 16, length).map((group) => group.toString(16));
    return { cidr: `${canonical(groups.join(':'))}/${length}`, label };
  });
}

/** True for a network, which is all that a log without full addresses has of a visitor. */
export function isNetwork(text: string): boolean {
  return text.includes('/');
}

/** Sets the bits after `length` to zero. `bits`: of each part. */
function cut(parts: readonly number[], bits: number, length: number): readonly number[] {
  return parts.map((part, at) => {
    const kept = Math.min(bits, Math.max(0, length - at * bits));
    return part & ~(2 ** (bits - kept) - 1);
  });
}

function fourOf(text: string): readonly number[] | null {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return null;
  const parts = text.split('.').map(Number);
  return parts.every((part) => part <= 255) ? parts : null;
}

function sixOf(text: string): readonly number[] | null {
  if (!/^[0-9a-f:.]+$/i.test(text) || !text.includes(':')) return null;
  const short = canonical(text);
  if (short === '') return null;
  const [before = '', after] = short.split('::');
  const left = before === '' ? [] : before.split(':');
  const right = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}

/** The short form of an IPv6 address, as URLs have it; '' for what is none. */
function canonical(text: string): string {
  const url = `http://[${text}]/`;
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : '';
}
