/** The end of a setup: starts the daemon, waits until it serves, and prints how machines join. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { joinCommand } from '../core/joining.ts';
import type { Settings } from '../core/settings.ts';
import type { Answers } from './answers.ts';
import { poll, withProgress } from './progress.ts';
import { type DaemonFacts, queryDaemon } from './query-daemon.ts';
import { SetupError } from './setup-error.ts';
import { isServiceActive, startForeground, startService, unitsOf } from './start-daemon.ts';

/** Milliseconds for a first start, with the making of keys and a slow database. */
const READY_MS = 120_000;
/** Milliseconds for the first certificate of an authority. */
const CERTIFICATE_MS = 180_000;

export interface Finish {
  readonly answers: Answers;
  readonly settings: Settings;
  readonly config: string;
  readonly program: readonly string[];
  /** True if the service of this file was installed before. */
  readonly hadService: boolean;
  readonly hasChanged: boolean;
  readonly haveUnitsChanged: boolean;
  readonly starts: boolean;
}

/** Resolves with the exit code. Rejects with SetupError. */
export async function finish(finish: Finish): Promise<number> {
  const { answers, config, hasChanged, starts } = finish;
  if (!starts || (!hasChanged && !answers.hasService)) {
    console.log(`Start the daemon with: ${startCommand(finish)}`);
    return 0;
  }
  if (!answers.hasService) return await inForeground(finish);
  if (!hasChanged && (await isServiceActive())) {
    console.log('The service runs, and was not restarted.');
  } else await startService(answers.listeners, finish.haveUnitsChanged);
  console.log(`The service reads ${config}. Its log: journalctl --unit underpassd --follow`);
  await untilReady(finish, () => false);
  return 0;
}

function startCommand({ answers, config, program }: Finish): string {
  if (answers.hasService) return `systemctl enable --now ${unitsOf(answers.listeners).join(' ')}`;
  return `${program.length === 1 ? program[0] : 'underpassd'} serve --config ${config}`;
}

async function inForeground(finish: Finish): Promise<number> {
  if (finish.hadService)
    console.log(
      'The service is still installed. Remove it with: systemctl disable --now underpassd.service underpassd.socket underpassd-http.socket',
    );
  const daemon = startForeground(finish.program, finish.config);
  await untilReady(finish, daemon.hasEnded);
  return await daemon.ended;
}

/** Prints how machines join when the daemon serves. Rejects with SetupError if it does not, unless it has ended. */
async function untilReady({ answers, settings }: Finish, ends: () => boolean): Promise<void> {
  const first = poll(() => queryDaemon(settings), { limitMs: READY_MS, ends });
  let facts = await withProgress('Waiting until the daemon is ready', first);
  if (ends()) return;
  if (facts === null)
    throw new SetupError(
      `the daemon does not answer at ${settings.listen.host}:${settings.listen.port}; its log has the reason`,
    );
  if (answers.acme !== null && facts.signsItself) facts = (await withCertificate(settings, ends)) ?? facts;
  if (ends()) return;
  console.log(`The daemon serves ${settings.baseUrl}`);
  const keys = join(settings.dataDir, 'bootstrap.json');
  if (existsSync(keys)) console.log(`API key and authtoken: ${keys} (keep it secret)`);
  console.log(`Join a machine, which prompts for the authtoken:\n  ${joinCommand(facts.joining)}`);
}

async function withCertificate(settings: Settings, ends: () => boolean): Promise<DaemonFacts | null> {
  const issued = async (): Promise<DaemonFacts | null> => {
    const facts = await queryDaemon(settings);
    return facts === null || facts.signsItself ? null : facts;
  };
  console.log('Waiting for the certificate');
  const found = await withProgress(
    'Waiting for the certificate',
    poll(issued, { limitMs: CERTIFICATE_MS, ends }),
  );
  if (found === null && !ends())
    console.log(
      'Warning: there is no certificate yet. The daemon goes on trying; its log has the reason. Check the DNS records and the ports.',
    );
  return found;
}
