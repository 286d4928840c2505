/** The server name that TLS with an upstream begins with, and for which its certificate has to be. */
import { isIP } from 'node:net';
import { InvalidInput } from './address.ts';
import type { ForwardOptions } from './agent-options.ts';

/** Labels of letters, digits, `-` and `_`, at most 253 characters (RFC 1035). */
const NAME =
  /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/i;

/** Throws InvalidInput. */
export function checkServerName(name: string): string {
  if (NAME.test(name) && isIP(name) === 0) return name;
  throw new InvalidInput(
    `"${name.slice(0, 100)}" is not a server name. Give a name such as app.internal, without a port.`,
    'upstream-sni',
  );
}

/** The name that is given, else that of the Host that replaces the visitor's; undefined: neither is a name. */
export function serverNameOf({
  upstreamSni,
  modules,
}: Pick<ForwardOptions, 'upstreamSni' | 'modules'>): string | undefined {
  if (upstreamSni !== undefined) return checkServerName(upstreamSni);
  const line = modules?.requestHeaders?.add?.find((one) => /^host[ \t]*:/i.test(one));
  const name = line?.replace(/^[^:]*:[ \t]*/, '').replace(/(?::[0-9]*)?[ \t]*$/, '') ?? '';
  return NAME.test(name) && isIP(name) === 0 ? name : undefined;
}
