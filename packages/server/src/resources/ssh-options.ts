/** Critical options and extensions of SSH user certificates, as sshd takes them (PROTOCOL.certkeys). */
import { isCidrFault, parseCidr } from '../core/ip/cidr.ts';
import { Problem } from '../errors/problem.ts';

type Options = Readonly<Record<string, string>>;

export const maxOptions = 32;
const maxNameBytes = 255;
const maxValueBytes = 4096;

/** The ones that OpenSSH defines, and whether they have a value. It refuses certificates that get this wrong. */
const known = {
  critical_options: new Map([
    ['force-command', true],
    ['source-address', true],
    ['verify-required', false],
  ]),
  extensions: new Map([
    ['no-touch-required', false],
    ['permit-X11-forwarding', false],
    ['permit-agent-forwarding', false],
    ['permit-port-forwarding', false],
    ['permit-pty', false],
    ['permit-user-rc', false],
  ]),
};

export function checkOptions(options: Options, field: keyof typeof known): Options {
  for (const [name, value] of Object.entries(options)) {
    const reason = faultOf(name, value, known[field].get(name));
    if (reason === null) continue;
    throw new Problem('sshOptionInvalid', { name, reason }, { field: `/${field}` });
  }
  return options;
}

function faultOf(name: string, value: string, hasValue: boolean | undefined): string | null {
  if (!/^[!-~]+$/.test(name) || name.length > maxNameBytes) {
    return `a name has 1 to ${maxNameBytes} printable ASCII characters and no spaces`;
  }
  if (Buffer.byteLength(value) > maxValueBytes) return `its value has more than ${maxValueBytes} bytes`;
  if (value.includes('\0')) return 'its value has a NUL character';
  if (hasValue === true && value === '') return 'it needs a value';
  if (name === 'source-address') return sourcesFault(value);
  if (hasValue === false && value !== '') return 'it takes no value, so give ""';
  return null;
}

/** Servers refuse a certificate of which they cannot read one address. */
function sourcesFault(list: string): string | null {
  for (const text of list.split(',')) {
    const range = parseCidr(text);
    if (!isCidrFault(range) || range.fault === 'mask-missing') continue;
    return range.fault === 'host-bits'
      ? `"${text}" has bits after its mask: write "${range.suggestion}"`
      : `"${text}" is neither an address nor a range, such as "192.0.2.0/24", with commas and no spaces between them`;
  }
  return null;
}
