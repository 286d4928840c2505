/**
 * The log for people: each line of JSON becomes a readable line.
 * Invariant: foreign text is escaped before it reaches the terminal.
 */
import { printableLine } from '../errors/printable.ts';

const WARN = 40;
const ERROR = 50;
const RESET = '\x1b[0m';
const RED = '\x1b[31m';
const GREEN = '\x1b[32m';
const YELLOW = '\x1b[33m';
const GREY = '\x1b[90m';

type Fields = Readonly<Record<string, unknown>>;

/** True if the terminal shows colours and no variable forbids them (no-color.org: an empty variable forbids nothing). */
export function takesColours(
  { isTTY = false }: { readonly isTTY?: boolean },
  { NO_COLOR: refused = '', TERM: terminal }: Readonly<Record<string, string | undefined>>,
): boolean {
  return isTTY && refused === '' && terminal !== 'dumb';
}

/** `line`: an object of pino's, with its line end. What is none goes through as it is. */
export function forPeople(line: string, { colours }: { readonly colours: boolean }): string {
  const fields = parse(line);
  if (fields === null) return `${printableLine(line.trimEnd())}\n`;
  const paint = (text: string, colour: string): string =>
    colours && colour !== '' ? `${colour}${text}${RESET}` : text;
  // People read the log of one daemon at a time.
  const { level, time, msg, err, node: _, ...facts } = fields;
  const clock = dateOf(time).toTimeString().slice(0, 8);
  const mark = levelMark(Number(level));
  const said = mark === null ? '' : `${paint(mark.text, mark.colour)}  `;
  const text = isRequest(facts) ? request(facts, paint) : event(String(msg ?? ''), facts, paint);
  return `${paint(clock, GREY)}  ${said}${text}${cause(err, Number(level))}\n`;
}

/** `time`: as the log has it, or milliseconds since 1970; now if it is neither. */
function dateOf(time: unknown): Date {
  const date = new Date(typeof time === 'number' || typeof time === 'string' ? time : Date.now());
  return Number.isNaN(date.getTime()) ? new Date() : date;
}

function parse(line: string): Fields | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function levelMark(level: number): { readonly text: string; readonly colour: string } | null {
  if (level >= ERROR) return { text: 'error', colour: RED };
  return level >= WARN ? { text: 'warning', colour: YELLOW } : null;
}

type Paint = (text: string, colour: string) => string;

interface RequestFields extends Fields {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly duration_ms: number;
  /** The server name of a visit. */
  readonly server_name?: unknown;
  readonly site?: unknown;
}

function isRequest(facts: Fields): facts is RequestFields {
  return typeof facts.method === 'string' && typeof facts.status === 'number';
}

function request(fields: RequestFields, paint: Paint): string {
  const { method, path, status, duration_ms, fault, server_name: name = '', site = '' } = fields;
  const answer = paint(String(status), status >= 500 ? RED : status >= 400 ? YELLOW : GREEN);
  const why = fault === undefined ? '' : `  ${printableLine(String(fault))}`;
  const where = site === '' ? '' : `  ${paint(printableLine(String(site)), GREY)}`;
  const what = printableLine(`${method} ${name}${path}`.trim());
  return `${what === '' ? 'no request' : what}  ${answer}  ${Number(duration_ms).toFixed(1)} ms${why}${where}`;
}

function event(message: string, facts: Fields, paint: Paint): string {
  const pairs = Object.entries(facts).map(([name, value]) => `${name}=${shown(value)}`);
  const told = printableLine(message);
  return pairs.length === 0 ? told : `${told}  ${paint(printableLine(pairs.join(' ')), GREY)}`;
}

function shown(value: unknown): string {
  return typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value);
}

/** The stack, below the line, of what should not have happened. */
function cause(err: unknown, level: number): string {
  if (typeof err !== 'object' || err === null) return '';
  const { message = '', stack = '' } = { message: undefined, stack: undefined, ...err };
  const frames =
    level < ERROR
      ? []
      : String(stack)
          .split('\n')
          .filter((line) => /^\s+at /.test(line));
  const said = `: ${printableLine(String(message))}`;
  return [said, ...frames.map((frame) => `            ${printableLine(frame.trim())}`)].join('\n');
}
