/**
 * The unit by which systemd runs the agent.
 * Invariant: a path or a name never becomes a setting.
 */
import { InvalidInput } from '../address.ts';
import { FINAL_CODES } from './manager.ts';

export const UNIT = 'underpass-agent.service';

export interface UnitOptions {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** User of the machine's unit; null: a unit of a user. */
  readonly uid: number | null;
}

/**
 * Returns the text of the unit. A refusal is final: if another agent took the name over, it would lose it again to a
 * restarted one. So only other failures lead to a restart. Once it runs, the agent waits for the network and the
 * server by itself.
 */
export function unitText({ command, uid }: UnitOptions): string {
  const isOfMachine = uid !== null;
  return [
    '# Written by "underpass service install", which writes it anew.',
    '[Unit]',
    'Description=Underpass agent',
    // At a first start a clock that is not set yet would refuse every certificate.
    ...(isOfMachine ? ['Wants=network-online.target', 'After=network-online.target time-sync.target'] : []),
    '',
    '[Service]',
    `ExecStart=${command.map(quoted).join(' ')}`,
    'Restart=on-failure',
    'RestartSec=5',
    `RestartPreventExitStatus=${FINAL_CODES.join(' ')}`,
    ...(isOfMachine ? [`User=${uid}`] : []),
    ...HARDENING,
    ...(isOfMachine ? MACHINE_HARDENING : []),
    '',
    '[Install]',
    `WantedBy=${isOfMachine ? 'multi-user.target' : 'default.target'}`,
    '',
  ].join('\n');
}

/** Hardening that a user's manager supports too, although it makes no namespaces. */
const HARDENING = [
  'UMask=0077',
  'NoNewPrivileges=yes',
  'LockPersonality=yes',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'SystemCallArchitectures=native',
];

/** The folders of users stay readable: their files are served, and their config is read. Sockets of local servers may be in /tmp. */
const MACHINE_HARDENING = [
  'CapabilityBoundingSet=',
  'AmbientCapabilities=',
  'PrivateDevices=yes',
  'ProtectClock=yes',
  'ProtectControlGroups=yes',
  'ProtectHome=read-only',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'ProtectProc=invisible',
  'ProtectSystem=strict',
  'SystemCallFilter=@system-service',
  'SystemCallErrorNumber=EPERM',
];

/** One word of a command line there (systemd.service(5), "Command lines"). */
function quoted(word: string): string {
  if (/\p{Cc}/u.test(word))
    throw new InvalidInput(
      `${JSON.stringify(word)} cannot be part of a unit. Give a path without control characters.`,
    );
  return `"${word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
}
