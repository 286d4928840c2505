/** Calls systemd through its own command. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const NO_SYSTEMD = 127;

/** The exit code; what it prints is printed. */
export async function systemctl(isOfMachine: boolean, ...words: readonly string[]): Promise<number> {
  const args = [...(isOfMachine ? [] : ['--user']), ...words];
  const child = spawn('systemctl', args, { stdio: 'inherit' });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code ?? 1;
  } catch {
    console.error(
      'underpass: This machine has no systemd, which would keep the agent. Have its own keeper of services run "underpass start --all".',
    );
    return NO_SYSTEMD;
  }
}
