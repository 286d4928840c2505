/** `underpass diagnose`: prints what is found on the way to the service. */
import { parseFirstServer } from '../address.ts';
import { diagnose, type Line } from '../diagnose/diagnose.ts';
import { printableLine } from '../printable.ts';
import { type Flags, readReachableService } from '../settings.ts';

export interface DiagnoseFlags extends Flags {
  readonly json?: boolean;
}

/** Resolves with the exit code: 1 where something failed. Throws InvalidInput. */
export async function runDiagnose(flags: DiagnoseFlags): Promise<number> {
  const service = readReachableService(flags, process.env, process.cwd());
  const target = {
    service,
    server: parseFirstServer(service.server),
    environment: process.env,
    now: Date.now,
  };
  let code = 0;
  for await (const line of diagnose(target)) {
    if (line.status === 'failed') code = 1;
    console.log(
      flags.json === true
        ? JSON.stringify({ time: new Date(target.now()).toISOString(), ...line })
        : textOf(line),
    );
  }
  return code;
}

function textOf({ check, status, found, remedy }: Line): string {
  const line = `${status.padEnd(8)} ${check.padEnd(9)} ${inLine(found)}`;
  return remedy === '' ? line : `${line}\n${' '.repeat(19)}${inLine(remedy)}`;
}

/** Messages of the service have several. */
function inLine(text: string): string {
  return printableLine(text.replace(/\s*\n\s*/g, ' '));
}
