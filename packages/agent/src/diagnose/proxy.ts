/** Checks if this machine is configured for a proxy, which agents do not use. */
import { type Finding, ok, type Target, warning } from './finding.ts';

const VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'] as const;

export async function lookAtProxy({ environment, server }: Target): Promise<Finding> {
  const variable = VARIABLES.find((name) => environment[name] !== undefined && environment[name] !== '');
  if (variable === undefined) return ok('no proxy is configured');
  // It may hold a password.
  const where = URL.parse(environment[variable] ?? '')?.host ?? 'not a URL';
  return warning(
    `${variable} is ${where}, and the agent does not go through a proxy`,
    `Let this machine reach TCP port ${server.port} of ${server.host} directly.`,
  );
}
