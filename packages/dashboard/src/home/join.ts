/** Commands that connect a machine to this service. */

import type { OwnAuthority } from './trust.ts';

/** Content of `/join.json`. */
export interface Joining {
  readonly server: string;
  readonly ca_fingerprint: string | null;
  /** Null if browsers trust the API anyway. */
  readonly own_authority: OwnAuthority | null;
}

export const MACHINES = ['Linux', 'macOS', 'Windows', 'Docker', 'TypeScript'] as const;
export type Machine = (typeof MACHINES)[number];

/** The command that stores the service and its authority. It reads the token from a prompt. */
export function loginCommand({ server, ca_fingerprint }: Joining): string {
  const pin = ca_fingerprint === null ? '' : ` --ca-fingerprint ${ca_fingerprint}`;
  return `underpass login --server ${server}${pin} --authtoken -`;
}

/** The steps of a machine after the installation. `name`: host name; '' for a random one. */
export function stepsOf(machine: Machine, joining: Joining, name: string): readonly string[] {
  const domain = name === '' ? '' : ` --domain ${name}`;
  const { server, ca_fingerprint } = joining;
  const pin = ca_fingerprint === null ? '' : ` --ca-fingerprint ${ca_fingerprint}`;
  if (machine === 'Docker')
    return [
      `docker run --rm --add-host host.docker.internal:host-gateway --env UNDERPASS_AUTHTOKEN underpass-agent http host.docker.internal:3000 --server ${server}${pin}${domain}`,
    ];
  if (machine === 'TypeScript') {
    const trust = ca_fingerprint === null ? '' : `, caFingerprint: '${ca_fingerprint}'`;
    const options = name === '' ? '' : `, { domain: '${name}' }`;
    return [
      `const agent = await connect({ server: '${server}', authtoken: process.env.UNDERPASS_AUTHTOKEN${trust} });\nawait agent.forward(3000${options});`,
    ];
  }
  return [loginCommand(joining), `underpass http 3000${domain}`];
}
