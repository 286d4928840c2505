/**
 * `underpassd`: the process around the daemon, and around the commands beside it. Exit codes: 0 stopped or done, 1 could
 * not, 2 bad usage. The daemon itself is daemon/daemon.ts.
 */
import { writeSync } from 'node:fs';
import { failOnLostOutput, versionFacts, versionText } from '@underpass/wire';
import manifest from '../package.json' with { type: 'json' };
import type { Config } from './command/config.ts';
import { type Invocation, readInvocation } from './command/invocation.ts';
import { errorFormat, usualFormat } from './command/log-format.ts';
import { joiningIn, nextSteps, nextStepsFacts } from './command/next-steps.ts';
import { ConfigError, HelpShown } from './command/options.ts';
import { workerFacts } from './command/worker-facts.ts';
import { joinCommand } from './core/joining.ts';
import { type Configuration, reload } from './daemon/reload.ts';
import { ServiceManager } from './daemon/service-manager.ts';
import { hasTerminal, onSignals } from './daemon/signals.ts';
import { lastLine } from './logs/last-line.ts';
import { LogOutput } from './logs/log-output.ts';
import { timeField } from './logs/log-time.ts';
import { forPeople, takesColours } from './logs/people-log.ts';

const { version } = manifest;

/** The facts that a supervisor passed; null for a process that none started. */
const worker = workerFacts(process.env, process.channel !== undefined);

/** Output and facts of the log of `serve`; null for other commands. */
let serving: { readonly output: LogOutput; readonly facts: object } | null = null;

// Imports of a command are loaded only if it runs.

async function main(): Promise<void> {
  const invocation = readInvocation(process.argv.slice(2), process.env, version, worker);
  if (invocation.kind === 'serve') return serve(invocation);
  failOnLostOutput('underpassd');
  switch (invocation.kind) {
    case 'operate':
      return command(invocation);
    case 'restart-workers':
      return restart(invocation);
    case 'ca-fingerprint':
      return printFingerprint(invocation);
    case 'version': {
      const facts = versionFacts(manifest, import.meta.url);
      return console.log(invocation.json ? JSON.stringify(facts) : versionText('underpassd', facts));
    }
    case 'setup': {
      const { setUp } = await import('./setup/set-up.ts');
      process.exitCode = await setUp(invocation.flags);
      return;
    }
    case 'copy':
      return copy(invocation);
    case 'restore':
      return restoreBackup(invocation);
  }
}

async function command({ place, request, json }: Invocation & { kind: 'operate' }): Promise<void> {
  const { operate } = await import('./operator/run.ts');
  const { render } = await import('./operator/render.ts');
  const answer = await operate(place, request);
  console.log(json ? JSON.stringify(answer, null, 2) : render(request, answer));
}

/** Prints what to do next. The link into the console is for the terminal only: the log of a service is kept. */
async function printNextSteps({ settings, database }: Config): Promise<void> {
  const { consoleLink } = await import('./operator/first-link.ts');
  const isOnTerminal = process.stdout.isTTY === true;
  const signIn = isOnTerminal ? await consoleLink({ dataDir: settings.dataDir, database }) : null;
  console.log(nextSteps(nextStepsFacts(settings, signIn)));
}

async function restart({ dataDir, request, json }: Invocation & { kind: 'restart-workers' }): Promise<void> {
  const { restartText, restartWorkers } = await import('./operator/restart-workers.ts');
  const answer = await restartWorkers(dataDir, request);
  console.log(json ? JSON.stringify(answer, null, 2) : restartText(answer));
}

async function printFingerprint({ dataDir, json }: Invocation & { kind: 'ca-fingerprint' }): Promise<void> {
  const { joiningJson, joiningText, readJoining } = await import('./command/ca-fingerprint.ts');
  const joining = await readJoining(dataDir);
  console.log(json ? joiningJson(joining) : joiningText(joining));
}

async function copy({ from, to }: Invocation & { kind: 'copy' }): Promise<void> {
  const { copyDatabase } = await import('./operator/copy.ts');
  console.log(await copyDatabase(from, to));
}

async function restoreBackup({ plan }: Invocation & { kind: 'restore' }): Promise<void> {
  const { restore } = await import('./operator/restore.ts');
  const { reporting } = await import('./operator/copy.ts');
  console.log(await restore(plan, reporting()));
}

async function serve(started: Invocation & { kind: 'serve' }): Promise<void> {
  const { config } = started;
  const { default: pino } = await import('pino');
  const format = config.logFormat ?? usualFormat(process.stderr.isTTY);
  const colours = takesColours(process.stderr, process.env);
  const { nodeName } = config.settings;
  const facts = nodeName === '' ? {} : { node: nodeName };
  const render = format === 'people' ? (line: string) => forPeople(line, { colours }) : undefined;
  const output = new LogOutput(2, render, facts);
  serving = { output, facts };
  const log = pino({ level: config.logLevel, base: facts, timestamp: timeField }, output);
  process.on('exit', () => output.flushSync());
  // Node's own listener would write a line that is not of the log's format.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, warning.message));
  // The last net: a fault in one connection's handling must not end everyone else's.
  process.on('uncaughtException', (error) => log.error({ err: error }, 'uncaught exception'));
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));

  const ready = (bootstrapFile: string | null): void => {
    if (bootstrapFile !== null) {
      console.log(
        `first start: wrote the API key and the agents' authtoken to ${bootstrapFile} (keep it secret)`,
      );
      const joining = joiningIn(config.settings.dataDir);
      if (format !== 'people' && joining !== null)
        console.log(`first start: another machine joins with "${joinCommand(joining)}" and that authtoken`);
    }
    console.log(`ready ${config.settings.baseUrl}`);
    manager.ready(`serves ${config.settings.baseUrl}`);
    if (format === 'people') void printNextSteps(config);
  };
  const manager = new ServiceManager(process.env, process.pid, log);
  const readAgain = (): Configuration => {
    const invocation = readInvocation(process.argv.slice(2), process.env, version);
    return invocation.kind === 'serve' ? invocation : started;
  };
  if (config.workers !== null && worker === null) {
    const { superviseWorkers } = await import('./workers/main.ts');
    await superviseWorkers({ started, readAgain, options: config.workers, manager, ready, log });
    return;
  }
  const { startDaemon } = await import('./daemon/daemon.ts');
  const daemon = await startDaemon(config, log, version);
  onSignals(process, {
    stop: () => {
      manager.stopping();
      return daemon.stop();
    },
    reload: () => {
      reload(started, readAgain, log, daemon.accessLog);
      void daemon.certificates.readAgain();
    },
    exit: (code) => process.exit(code),
    hasTerminal: hasTerminal(),
    now: () => performance.now(),
    log,
  });
  if (worker === null) return ready(daemon.bootstrapFile);
  const { answerSupervisor } = await import('./workers/in-worker.ts');
  answerSupervisor(process, daemon, () => process.kill(process.pid, 'SIGTERM'));
}

/** Writes at once, because an exit does not await the writes of a pipe. Without a reader the exit code is the report. */
function writeNow(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // Nothing can be reported.
  }
}

main().catch((error: unknown) => {
  if (error instanceof HelpShown) {
    failOnLostOutput('underpassd');
    process.exit(0);
  }
  // A worker has printed the reason.
  if (error instanceof Error && 'exitCode' in error) process.exit(Number(error.exitCode));
  const format = errorFormat(process.argv.slice(2), process.env, process.stderr.isTTY);
  serving?.output.flushSync();
  writeNow(lastLine(error, format, serving?.facts));
  process.exit(error instanceof ConfigError ? 2 : 1);
});
