/** The command of an SSH client, `<http|tls|tcp> [flags]`, read: pure (open points, part B 4.12). */
import { Problem } from '../../errors/problem.ts';
import { shown } from '../options/fields.ts';

export const commandProtocols = ['http', 'tls', 'tcp'] as const;
export type CommandProtocol = (typeof commandProtocols)[number];

interface Flag {
  readonly name: string;
  readonly argument: string;
  readonly help: string;
  /** Absent: of all. */
  readonly only?: readonly CommandProtocol[];
  readonly repeatable?: true;
}

export const flags = [
  { name: 'hostname', argument: 'NAME', help: 'the public name', only: ['http', 'tls'] },
  {
    name: 'subdomain',
    argument: 'LABEL',
    help: 'the public name, below the shared domain',
    only: ['http', 'tls'],
  },
  { name: 'remote-addr', argument: 'HOST:PORT', help: 'a reserved address', only: ['tcp'] },
  { name: 'schemes', argument: 'SCHEME', help: 'http or https', only: ['http'] },
  {
    name: 'basic-auth',
    argument: 'USER:PASSWORD',
    help: 'name and password of visitors',
    only: ['http'],
    repeatable: true,
  },
  { name: 'cidr-allow', argument: 'CIDR', help: 'range of visitors that get in', repeatable: true },
  { name: 'cidr-deny', argument: 'CIDR', help: 'range of visitors that do not', repeatable: true },
  { name: 'oauth', argument: 'PROVIDER', help: 'provider at which visitors log in', only: ['http'] },
  { name: 'proxy-proto', argument: 'VERSION', help: 'PROXY protocol to the service, 1 or 2' },
  { name: 'metadata', argument: 'TEXT', help: 'shown in the API' },
] as const satisfies readonly Flag[];
export type FlagName = (typeof flags)[number]['name'];

export interface Command {
  readonly protocol: CommandProtocol;
  readonly flags: ReadonlyMap<FlagName, readonly string[]>;
}

/** Returns `help` if the command has no other request. Raises Problem. */
export function readCommand(text: string): Command | 'help' {
  const [first, ...rest] = text.trim().split(/\s+/);
  if (first === undefined || first === '') throw new Problem('sshCommandMissing');
  if (first === '--help' || first === 'help' || rest.includes('--help')) return 'help';
  const protocol = commandProtocols.find((one) => one === first);
  if (protocol === undefined) throw new Problem('sshCommandUnknown', { command: shown(first) });
  return { protocol, flags: readFlags(protocol, rest) };
}

export function usage(): string {
  const lines = flags.map(({ name, argument, help, ...flag }) => {
    const only = 'only' in flag ? ` (${flag.only.join(', ')})` : '';
    return `  ${`--${name} ${argument}`.padEnd(28)}${help}${only}`;
  });
  return [
    'ssh -R [NAME:]PORT:HOST:PORT <this server> <http|tls|tcp> [flags]',
    '',
    ...lines,
    '',
    'PORT is 80 or 443 for http, 443 for tls, and 0 for any. With -t a screen shows the requests.',
  ].join('\n');
}

function readFlags(
  protocol: CommandProtocol,
  words: readonly string[],
): ReadonlyMap<FlagName, readonly string[]> {
  const given = new Map<FlagName, readonly string[]>();
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, name = '', inline] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const flag: (Flag & { readonly name: FlagName }) | undefined = flags.find((one) => one.name === name);
    if (flag === undefined || flag.only?.includes(protocol) === false)
      throw new Problem('sshFlagUnsupported', { flag: shown(word), protocol });
    const value = inline ?? rest.shift();
    const known = given.get(flag.name) ?? [];
    if (value === undefined || value === '' || (known.length > 0 && flag.repeatable !== true))
      throw new Problem('sshFlagMalformed', { flag: `--${name}`, argument: flag.argument });
    given.set(flag.name, [...known, value]);
  }
  return given;
}
