/**
 * Output of the command: a screen, lines, or JSON.
 * Invariant: output for programs does not depend on a terminal.
 */
import { InvalidInput } from './address.ts';
import { LinePrinter } from './lines.ts';
import type { Report } from './report.ts';
import { JsonReport } from './report-json.ts';
import { PeopleReport } from './report-people.ts';
import { isInForeground } from './screen/foreground.ts';
import type { Service } from './settings.ts';
import { takesColours } from './terminal-text.ts';
import type { TunnelSpec } from './tunnel-spec.ts';

const FLUSH_MS = 500;

export interface UiFlags {
  readonly json?: boolean;
  readonly ui?: string;
}

export interface UserInterface {
  readonly report: Report;
  /** Writes the rest; resolves after it was written, or after a limit if it is not read. */
  close(): Promise<void>;
}

type Kind = 'screen' | 'lines' | 'json';

/** Throws InvalidInput. */
export function readUi({ json, ui }: UiFlags): Kind {
  const hasScreen = process.stdout.isTTY === true && process.env.TERM !== 'dumb';
  if (json === true && ui !== undefined)
    throw new InvalidInput('What is printed is JSON or for people. Give one of --json and --ui.', 'ui');
  if (json === true) return 'json';
  if (ui === undefined) return hasScreen && isInForeground() ? 'screen' : 'lines';
  if (ui !== 'screen' && ui !== 'lines')
    throw new InvalidInput(`"${ui}" is no way of showing what happens. Give screen or lines.`, 'ui');
  if (ui === 'screen' && !hasScreen)
    throw new InvalidInput('A screen needs a terminal. Run this on one, or leave --ui out.', 'ui');
  return ui;
}

export async function openUi(
  kind: Kind,
  service: Service,
  tunnels: readonly TunnelSpec[],
): Promise<UserInterface> {
  const { server, caFile, caFingerprint, configFile } = service;
  const place = { server, caFile, caFingerprint, configFile };
  const isJson = kind === 'json';
  const out = new LinePrinter(process.stdout, isJson ? JsonReport.leftOutLine : PeopleReport.leftOutLine);
  const errors = new LinePrinter(process.stderr, PeopleReport.leftOutLine);
  const flush = async () => {
    await Promise.all([out.flush(FLUSH_MS), errors.flush(FLUSH_MS)]);
  };
  if (isJson) return { report: new JsonReport(out), close: flush };
  const colours = takesColours(process.stdout, process.env);
  const people = new PeopleReport({ out, errors, place, colours, now: Date.now });
  if (kind === 'lines') return { report: people, close: flush };
  // Most agents run without a terminal.
  const { ScreenReport } = await import('./screen/screen-report.ts');
  const report = new ScreenReport({
    ...{ terminal: process.stdout, place, colours, now: Date.now, people, out },
    seesRequests: tunnels.some(isSeen),
  });
  const close = async () => {
    await report.close();
    await flush();
  };
  return { report, close };
}

function isSeen({ request: { proto = 'http' }, quiet }: TunnelSpec): boolean {
  return proto === 'http' && !quiet;
}
