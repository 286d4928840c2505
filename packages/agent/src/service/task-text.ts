/**
 * The task by which the Task Scheduler of Windows runs the agent (Task Scheduler schema 1.2).
 * Invariant: a path never becomes a variable or a setting.
 */
import { InvalidInput } from '../address.ts';
import { windowsCommandLine } from './windows-command-line.ts';
import { element } from './xml-text.ts';

export interface TaskOptions {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Security identifier of the user. */
  readonly sid: string;
  /** True: runs from boot without a login; false: from the login of the user. */
  readonly isOfMachine: boolean;
}

/** The identifiers of the system's own accounts, which have no way to log on. */
const SYSTEM_ACCOUNT = /^S-1-5-(18|19|20)$/;

/** Batteries, idle times and run times would end a task without these settings. */
const SETTINGS: Readonly<Record<string, string | number | boolean>> = {
  MultipleInstancesPolicy: 'IgnoreNew',
  DisallowStartIfOnBatteries: false,
  StopIfGoingOnBatteries: false,
  AllowHardTerminate: true,
  StartWhenAvailable: true,
  RunOnlyIfNetworkAvailable: false,
  AllowStartOnDemand: true,
  Enabled: true,
  Hidden: false,
  RunOnlyIfIdle: false,
  WakeToRun: false,
  ExecutionTimeLimit: 'PT0S',
  // Tasks have a low priority otherwise.
  Priority: 5,
};

/** Returns the text of the task. The scheduler restarts a task that could not start; `service run` restarts crashed agents. */
export function taskText({ command, sid, isOfMachine }: TaskOptions): string {
  for (const word of command) refuseVariables(word);
  const [program = '', ...args] = command;
  const trigger = isOfMachine
    ? ['<BootTrigger>', element('Enabled', true), '</BootTrigger>']
    : ['<LogonTrigger>', element('Enabled', true), element('UserId', sid), '</LogonTrigger>'];
  return [
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<!-- Written by "underpass service install", which writes it anew. -->',
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    `<RegistrationInfo>${element('Description', 'Underpass agent')}</RegistrationInfo>`,
    '<Triggers>',
    ...trigger,
    '</Triggers>',
    '<Principals>',
    '<Principal id="Author">',
    element('UserId', sid),
    ...logonType(sid, isOfMachine),
    element('RunLevel', 'LeastPrivilege'),
    '</Principal>',
    '</Principals>',
    '<Settings>',
    ...Object.entries(SETTINGS).map(([name, value]) => element(name, value)),
    `<RestartOnFailure>${element('Interval', 'PT1M')}${element('Count', 255)}</RestartOnFailure>`,
    '</Settings>',
    '<Actions Context="Author">',
    `<Exec>${element('Command', `"${program}"`)}${element('Arguments', windowsCommandLine(args))}</Exec>`,
    '</Actions>',
    '</Task>',
    '',
  ].join('\r\n');
}

/** `S4U` runs without a login and without a stored password. */
function logonType(sid: string, isOfMachine: boolean): readonly string[] {
  if (SYSTEM_ACCOUNT.test(sid)) return [];
  return [element('LogonType', isOfMachine ? 'S4U' : 'InteractiveToken')];
}

/** The scheduler replaces `%NAME%` and `$(NAME)`, and knows no way to write them. */
function refuseVariables(word: string): void {
  if (/%|\$\(/.test(word))
    throw new InvalidInput(
      `${JSON.stringify(word)} cannot be part of a task, which would replace % and $( in it. Give a path without them.`,
    );
}
