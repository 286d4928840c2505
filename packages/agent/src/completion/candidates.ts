/** What the next word of a command line can be, from the commands themselves. Never a list of its own, which would be behind them. */
import type { Command, Option } from 'commander';

export interface Candidate {
  readonly word: string;
  /** '' nothing. */
  readonly description: string;
}

/** `files`: names of files stand there. */
export type Candidates = readonly Candidate[] | 'files';

/** `words`: those after the name of the program, the one that is being typed last. `tunnels`: what can stand where a tunnel is named. */
export function candidates(
  program: Command,
  words: readonly string[],
  tunnels: () => readonly string[],
): Candidates {
  const typed = words.at(-1) ?? '';
  const { command, given, awaiting } = walk(program, words.slice(0, -1));
  const offered = awaiting === null ? wordsOf(command, given, typed, tunnels) : valuesOf(shapeOf(awaiting));
  if (offered === 'files') return offered;
  return offered.filter(({ word }) => word.startsWith(typed));
}

interface Place {
  readonly command: Command;
  /** How many arguments it has been given. */
  readonly given: number;
  /** The option whose value comes next. */
  readonly awaiting: Option | null;
}

function walk(program: Command, words: readonly string[]): Place {
  let command = program;
  let given = 0;
  let awaiting: Option | null = null;
  for (const word of words) {
    if (awaiting !== null) awaiting = null;
    else if (word.startsWith('-')) awaiting = awaitedBy(command, word);
    else {
      const next = command.commands.find((one) => one.name() === word);
      if (next === undefined) given++;
      else command = next;
    }
  }
  return { command, given, awaiting };
}

function awaitedBy(command: Command, word: string): Option | null {
  const option = command.options.find(({ long, short }) => word === long || word === short);
  return option?.required === true ? option : null;
}

function shapeOf({ flags }: Option): string {
  return /<([^>]*)>/.exec(flags)?.[1] ?? '';
}

/** What help shows of a value says what it can be: `<http|https>`, `<file>`. */
function valuesOf(shape: string): Candidates {
  if (shape === 'file' || shape === 'folder') return 'files';
  return shape.includes('|') ? shape.split('|').map((word) => ({ word, description: '' })) : [];
}

function wordsOf(
  command: Command,
  given: number,
  typed: string,
  tunnels: () => readonly string[],
): Candidates {
  if (typed.startsWith('-')) return flagsOf(command);
  const commands = command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ word: one.name(), description: one.description() }));
  if (commands.length > 0 && given === 0) return commands;
  const { registeredArguments: all } = command;
  const next = all[given] ?? all.find(({ variadic }) => variadic);
  if (next?.name() === 'names') return tunnels().map((word) => ({ word, description: '' }));
  return valuesOf(next?.name() ?? '');
}

function flagsOf(command: Command): Candidates {
  const options = command.createHelp().visibleOptions(command);
  return options.map(({ long, short, description }) => ({ word: long ?? short ?? '', description }));
}
