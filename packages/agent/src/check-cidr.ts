/** Checks ranges of IP addresses before they are sent. */
import { isIP } from 'node:net';
import { InvalidInput } from './address.ts';

/** Throws InvalidInput. `flag`: what has given it. */
export function checkCidr(text: string, flag: string): void {
  const [, address = '', mask] = /^([^/]*)(?:\/(.*))?$/s.exec(text) ?? [];
  const bits = isIP(address) === 4 ? 32 : 128;
  if (isIP(address) === 0 || address.includes('%'))
    throw wrong(text, flag, 'Give one such as 203.0.113.0/24.');
  if (mask === undefined) throw wrong(text, flag, `Give ${address}/${bits} for this one address.`);
  if (!/^(?:0|[1-9]\d{0,2})$/.test(mask) || Number(mask) > bits)
    throw wrong(text, flag, `Give a length from 0 to ${bits} behind the slash.`);
  if (/1/.test(bitsOf(address).slice(Number(mask))))
    throw wrong(text, flag, `It has bits behind the mask. Give ${networkOf(address, Number(mask))}/${mask}.`);
}

function wrong(text: string, flag: string, remedy: string): InvalidInput {
  return new InvalidInput(`"${text.slice(0, 100)}" is not a range of IP addresses. ${remedy}`, flag);
}

/** `text`: an address of either family. */
function bitsOf(text: string): string {
  return isIP(text) === 4
    ? text
        .split('.')
        .map((part) => Number(part).toString(2).padStart(8, '0'))
        .join('')
    : groupsOf(text)
        .map((group) => group.toString(2).padStart(16, '0'))
        .join('');
}

/** The eight numbers of an IPv6 address. */
function groupsOf(text: string): readonly number[] {
  // In the URL standard's form an embedded IPv4 address is two groups.
  const short = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [head = [], tail] = short.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const groups =
    tail === undefined ? head : [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail];
  return groups.map((group) => Number.parseInt(group, 16));
}

/** The address with nothing behind its first bits. */
function networkOf(text: string, length: number): string {
  const kept = bitsOf(text)
    .slice(0, length)
    .padEnd(isIP(text) === 4 ? 32 : 128, '0');
  const size = isIP(text) === 4 ? 8 : 16;
  const numbers = Array.from({ length: kept.length / size }, (_, at) =>
    Number.parseInt(kept.slice(at * size, (at + 1) * size), 2),
  );
  if (size === 8) return numbers.join('.');
  return new URL(`http://[${numbers.map((group) => group.toString(16)).join(':')}]`).hostname.slice(1, -1);
}
