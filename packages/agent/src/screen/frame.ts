/**
 * Content of the screen, line by line.
 * Invariant: a frame is not wider or higher than the terminal.
 */

import { adviceOffline } from '../advice.ts';
import type { AgentConnections, AgentState } from '../agent-options.ts';
import { clockText, colourOf, durationText, GREEN, RED, RESET, YELLOW } from '../terminal-text.ts';
import { columnsOf, cut, wrap } from './columns.ts';
import type { Summary } from './statistics.ts';

/** State for a frame. All texts are printable. */
export interface ScreenView {
  readonly server: string;
  readonly caFile?: string | undefined;
  readonly configFile?: string | undefined;
  readonly session: AgentState;
  /** Null while there is one, and one is useful. */
  readonly connections: Pick<AgentConnections, 'open' | 'wanted'> | null;
  /** Milliseconds of the latest heartbeat; null before it. */
  readonly latencyMs: number | null;
  readonly inspector: string | null;
  readonly tunnels: readonly ShownTunnel[];
  /** Null: none are seen. */
  readonly requests: Summary | null;
  /** The latest last. */
  readonly messages: readonly string[];
  /** The latest last. */
  readonly latest: readonly ShownRequest[];
  /** Milliseconds since 1970, when an offline agent tries again. */
  readonly retryAt: number;
  readonly now: number;
}

export interface ShownTunnel {
  /** Name of one of several tunnels; else null. */
  readonly name: string | null;
  /** The URL, or the labels. */
  readonly from: string;
  readonly to: string;
  readonly isOver: boolean;
}

export interface ShownRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly name: string | null;
  /** Null if there was no response. */
  readonly status: number | null;
  readonly durationMs: number | null;
  /** True for a failure that the status does not show. */
  readonly isFailed?: boolean;
  /** Method and path, or what went wrong. */
  readonly text: string;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const LABEL_COLUMNS = 12;
const LINES_OF_MESSAGES = 4;
/** Lines that remain for requests when there are many tunnels. */
const LEAST_REQUESTS = 5;
/** Minimum number of columns for the time of each request. */
const TIME_FROM_COLUMNS = 60;

interface Part {
  readonly text: string;
  readonly colour?: string;
}

type Line = readonly Part[];

/** Lines with their colours. */
export function frame(view: ScreenView, { columns, rows }: Size, colours: boolean): readonly string[] {
  const more = [
    ...field('Latency', [{ text: view.latencyMs === null ? '-' : durationText(view.latencyMs) }], columns),
    ...(view.inspector === null ? [] : field('Inspector', [{ text: view.inspector }], columns)),
  ];
  const head = [...field('Session', sessionOf(view), columns), ...more];
  const requests = view.requests === null ? [] : field('Requests', requestParts(view.requests), columns);
  const messages = messageLines([...view.messages, ...adviceIn(view)], columns);
  const others = head.length + requests.length + messages.length + 2;
  const painter = (line: Line) => painted(line, columns, colours);
  const whole = tunnelLines(view.tunnels, columns);
  if (rows < others + Math.min(LEAST_REQUESTS, whole.length))
    return smallFrame(view, { columns, rows }, [...requests, ...more]).map(painter);
  const room = rows - others - LEAST_REQUESTS;
  // Of many tunnels rather the names of most than all of a few.
  const tunnels = limited(
    whole.length <= room ? whole : shorter(whole, urlLines(view.tunnels, columns)),
    room,
  );
  const above: readonly Line[] = [
    ...head,
    ...tunnels,
    ...requests,
    [],
    ...messages.map((text) => [{ text, colour: YELLOW }]),
  ];
  const left = Math.max(0, rows - above.length);
  const latest = left === 0 ? [] : view.latest.slice(-left).reverse();
  const lines = [...above, ...latest.flatMap((request) => requestLines(request, columns))].slice(0, rows);
  return lines.map(painter);
}

/** The frame of a small screen: the URLs, the session's state, what went wrong, and as much of the `rest` as fits. */
function smallFrame(view: ScreenView, { columns, rows }: Size, rest: readonly Line[]): readonly Line[] {
  const message = view.messages.at(-1);
  const urls = urlLines(view.tunnels, columns);
  const state = sessionOf(view).slice(0, view.session.state === 'offline' ? 2 : 1);
  const session = state.flatMap((part, index) => (index === 0 ? [part] : [{ text: '  ' }, part]));
  const shownUrls = limited(urls, rows - 1 - (message === undefined ? 0 : 1));
  const messages = message === undefined ? [] : messageIn(message, columns, rows - 1 - shownUrls.length);
  const lines = messages.map((text) => [{ text, colour: YELLOW }]);
  return [session, ...shownUrls, ...lines, ...rest].slice(0, rows);
}

/** Returns the whole message, or its end with the remedy. With one line only, returns the beginning. */
function messageIn(message: string, columns: number, rows: number): readonly string[] {
  return rows < 2 ? [message] : wrap(message, columns).slice(-rows);
}

function sessionOf({ session, connections, server, retryAt, now }: ScreenView): Line {
  switch (session.state) {
    case 'connecting':
      return [{ text: 'connecting', colour: YELLOW }, { text: server }];
    case 'online':
      return [
        { text: 'online', colour: GREEN },
        { text: `region ${session.region}` },
        { text: session.sessionId },
        ...(connections === null || connections.wanted === 1 ? [] : [connectionsOf(connections)]),
        { text: server },
      ];
    case 'offline':
      return [
        { text: 'offline', colour: RED },
        { text: `again in ${Math.max(0, Math.ceil((retryAt - now) / 1_000))} s` },
        { text: session.reason },
      ];
    default:
      return session satisfies never;
  }
}

function connectionsOf({ open, wanted }: Pick<AgentConnections, 'open' | 'wanted'>): Part {
  return { text: `connections ${open} of ${wanted}` };
}

/** Returns the latest messages that fit, each whole. If the last one is too long alone, returns its end with the remedy. */
function messageLines(messages: readonly string[], columns: number): readonly string[] {
  let lines: readonly string[] = [];
  for (const message of messages.toReversed()) {
    const wrapped = wrap(message, columns);
    if (lines.length > 0 && lines.length + wrapped.length > LINES_OF_MESSAGES) break;
    lines = [...wrapped, ...lines];
  }
  return lines.slice(-LINES_OF_MESSAGES);
}

function adviceIn(view: ScreenView): readonly string[] {
  const advice = view.session.state === 'offline' ? adviceOffline(view.session, view) : null;
  return advice === null ? [] : [advice];
}

function requestParts(summary: Summary): Line {
  if (summary.total === 0) return [{ text: 'none yet' }];
  return [...totalParts(summary), { text: `${summary.perSecond.toFixed(1)}/s` }];
}

/** Also of what is left behind. */
export function totalParts({ total, failed, percentiles }: Summary): Line {
  return [
    { text: String(total) },
    ...(failed === 0 ? [] : [{ text: `${failed} failed`, colour: RED }]),
    ...Object.entries(percentiles ?? {}).map(([name, ms]) => ({ text: `${name} ${durationText(ms)}` })),
  ];
}

/** A label and its content, which continues on further lines if one has no room for it. */
function field(label: string, parts: Line, columns: number): readonly Line[] {
  const width = Math.max(1, columns - LABEL_COLUMNS);
  const lines: Part[][] = [[]];
  let used = 0;
  for (const part of parts.filter(({ text }) => text !== '')) {
    const text = cut(part.text, width);
    const line = lines.at(-1) ?? [];
    const needed = columnsOf(text) + (used === 0 ? 0 : 2);
    if (used > 0 && used + needed > width) {
      lines.push([{ ...part, text }]);
      used = columnsOf(text);
      continue;
    }
    line.push(...(used === 0 ? [] : [{ text: '  ' }]), { ...part, text });
    used += needed;
  }
  return lines.map((line, index) => [{ text: labelled(index === 0 ? label : '') }, ...line]);
}

/** Puts each tunnel on one line if there is room for all of them. Otherwise URLs begin in the first column, and are whole. */
function tunnelLines(tunnels: readonly ShownTunnel[], columns: number): readonly Line[] {
  const texts = tunnels.map(tunnelText);
  if (texts.every((text) => columnsOf(text) <= columns - LABEL_COLUMNS))
    return texts.map((text, index) => [{ text: labelled(index === 0 ? 'Forwarding' : '') }, { text }]);
  return tunnels.flatMap(({ name, from, to, isOver }) => [
    [{ text: cut(name === null ? 'Forwarding' : `Forwarding  ${name}`, columns) }],
    ...wrap(from, columns).map((text) => [{ text }]),
    [{ text: cut(`  -> ${to}${isOver ? ENDED : ''}`, columns) }],
  ]);
}

/** Returns URLs without their targets. */
function urlLines(tunnels: readonly ShownTunnel[], columns: number): readonly Line[] {
  return tunnels.flatMap(({ name, from, isOver }) =>
    wrap(`${name === null ? '' : `${name}  `}${from}${isOver ? ENDED : ''}`, columns).map((text) => [
      { text },
    ]),
  );
}

function shorter(one: readonly Line[], other: readonly Line[]): readonly Line[] {
  return other.length < one.length ? other : one;
}

const ENDED = '  (ended)';

/** Also of what is left behind. */
export function tunnelText({ name, from, to, isOver }: ShownTunnel): string {
  return `${name === null ? '' : `${name}  `}${from} -> ${to}${isOver ? ENDED : ''}`;
}

export function labelled(label: string): string {
  return label.padEnd(LABEL_COLUMNS);
}

function limited(lines: readonly Line[], most: number): readonly Line[] {
  if (lines.length <= most || most < 2) return lines;
  return [...lines.slice(0, most - 1), [{ text: `... ${lines.length - most + 1} lines more` }]];
}

/** A request has one line. Its error is whole, because its end has the remedy. */
function requestLines(
  { at, name, status, durationMs, isFailed, text }: ShownRequest,
  columns: number,
): readonly Line[] {
  const time = columns < TIME_FROM_COLUMNS ? '' : `${clockText(at)}  `;
  const who = name === null ? '' : `${name}  `;
  if (durationMs === null)
    return wrap(`${time}${who}${text}`, columns).map((line) => [{ text: line, colour: RED }]);
  const answer =
    status === null
      ? { text: '---', colour: RED }
      : { text: String(status), colour: isFailed === true ? RED : colourOf(status) };
  return [[{ text: time }, answer, { text: `  ${durationText(durationMs).padStart(8)}  ${who}${text}` }]];
}

function painted(line: Line, columns: number, colours: boolean): string {
  let room = columns;
  let result = '';
  for (const { text, colour = '' } of line) {
    const shown = cut(text, room);
    room -= columnsOf(shown);
    result += colours && colour !== '' && shown !== '' ? `${colour}${shown}${RESET}` : shown;
  }
  return result;
}
