/** The property list by which launchd runs the agent (launchd.plist(5)). */
import { element } from './xml-text.ts';

export const LABEL = 'underpass.agent';

export interface PropertyListOptions {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** User name of a service of the machine; null: a service of a user. */
  readonly user: string | null;
  /** Path of the log. */
  readonly log: string;
}

/** launchd's own PATH lacks the folders of installed programs. */
const PATH = '/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin:/usr/sbin:/sbin';
/** Mode bits 077. */
const UMASK = 63;

type Value = string | number | boolean | readonly string[] | { readonly [key: string]: Value };

/**
 * Returns the text of the list. launchd knows no exit codes that are final. So only a crash leads to a restart: a
 * restarted agent would take the name of another one over again.
 */
export function propertyListText({ command, user, log }: PropertyListOptions): string {
  const list: Value = {
    Label: LABEL,
    ProgramArguments: command,
    ...(user === null ? {} : { UserName: user }),
    RunAtLoad: true,
    KeepAlive: { Crashed: true },
    ThrottleInterval: 10,
    // Others get less of the processor and the disk.
    ProcessType: 'Interactive',
    Umask: UMASK,
    WorkingDirectory: '/',
    EnvironmentVariables: { PATH },
    StandardOutPath: log,
    StandardErrorPath: log,
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<!-- Written by "underpass service install", which writes it anew. -->',
    '<plist version="1.0">',
    ...linesOf(list),
    '</plist>',
    '',
  ].join('\n');
}

function linesOf(value: Value): readonly string[] {
  if (typeof value === 'string') return [element('string', value)];
  if (typeof value === 'number') return [element('integer', value)];
  if (typeof value === 'boolean') return [value ? '<true/>' : '<false/>'];
  if (isList(value)) return ['<array>', ...value.map((one) => `  ${element('string', one)}`), '</array>'];
  const lines = Object.entries(value).flatMap(([key, one]) => [element('key', key), ...linesOf(one)]);
  return ['<dict>', ...lines.map((line) => `  ${line}`), '</dict>'];
}

function isList(value: Value): value is readonly string[] {
  return Array.isArray(value);
}
