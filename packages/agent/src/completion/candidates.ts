/**
 * Candidates for the next word of a command line, derived from the commands themselves.
 * Invariant: there is no list beside the commands.
 */
import type { Command, Option } from 'commander';

export interface Candidate {
  readonly word: string;
  /** '' nothing. */
  readonly description: string;
}

/** `files`: names of files. */
export type Candidates = readonly Candidate[] | 'files';

/** Returns the names of tunnels. `config`: the config file in the line, null if it names none. */
export type TunnelNames = (config: string | null) => readonly string[];

/** `words`: the words after the program's name; the last one is the incomplete one. */
export function candidates(program: Command, words: readonly string[], tunnels: TunnelNames): Candidates {
  const typed = words.at(-1) ?? '';
  const place = walk(program, words.slice(0, -1));
  const { awaiting } = place;
  const offered = awaiting === null ? wordsOf(place, typed, tunnels) : valuesOf(shapeOf(awaiting));
  if (offered === 'files') return offered;
  return offered.filter(({ word }) => word.startsWith(typed));
}

interface Place {
  readonly command: Command;
  /** The number of arguments before the cursor. */
  readonly given: number;
  /** The option whose value comes next. */
  readonly awaiting: Option | null;
  readonly config: string | null;
}

function walk(program: Command, words: readonly string[]): Place {
  let command = program;
  let given = 0;
  let awaiting: Option | null = null;
  let config: string | null = null;
  for (const word of words) {
    if (awaiting !== null) {
      if (awaiting.long === '--config') config = word;
      awaiting = null;
    } else if (word.startsWith('-')) awaiting = awaitedBy(command, word);
    else {
      const next = command.commands.find((one) => one.name() === word);
      if (next === undefined) given++;
      else command = next;
    }
  }
  return { command, given, awaiting, config };
}

function awaitedBy(command: Command, word: string): Option | null {
  const option = command.options.find(({ long, short }) => word === long || word === short);
  return option?.required === true ? option : null;
}

function shapeOf({ flags }: Option): string {
  return /<([^>]*)>/.exec(flags)?.[1] ?? '';
}

/** Words for values that only the user knows. */
const PLACEHOLDERS = ['host', 'host:port'];

/** Derives the values from the form in the help: `<http|https>`, `<file>`. */
function valuesOf(shape: string): Candidates {
  if (shape === 'file' || shape === 'folder') return 'files';
  const words = shape.includes('|') ? shape.split('|') : [];
  return words.filter((word) => !PLACEHOLDERS.includes(word)).map((word) => ({ word, description: '' }));
}

function wordsOf({ command, given, config }: Place, typed: string, tunnels: TunnelNames): Candidates {
  if (typed.startsWith('-')) return flagsOf(command);
  const commands = command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ word: one.name(), description: one.description() }));
  if (commands.length > 0 && given === 0) return commands;
  const { registeredArguments: all } = command;
  const next = all[given] ?? all.find(({ variadic }) => variadic);
  if (next?.name() === 'names') return tunnels(config).map((word) => ({ word, description: '' }));
  return valuesOf(next?.name() ?? '');
}

function flagsOf(command: Command): Candidates {
  const options = command.createHelp().visibleOptions(command);
  return options.map(({ long, short, description }) => ({ word: long ?? short ?? '', description }));
}
