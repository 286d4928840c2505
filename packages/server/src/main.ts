/**
 * `underpassd`: the process around the daemon, and around the commands beside it. Exit codes: 0 stopped or done, 1 could
 * not, 2 bad usage. The daemon itself is daemon.ts.
 */
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { ForOperator } from './core/for-operator.ts';
import type { Daemon } from './daemon.ts';
import { type Invocation, readInvocation } from './invocation.ts';
import { LogOutput } from './log-output.ts';
import { ConfigError, HelpShown } from './options.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

// What a command does not need is not loaded for it.

async function main(): Promise<void> {
  const invocation = readInvocation(process.argv.slice(2), process.env, version);
  switch (invocation.kind) {
    case 'serve':
      return serve(invocation.config);
    case 'operate':
      return command(invocation);
    case 'copy':
      return copy(invocation);
  }
}

async function command({ database, request, json }: Invocation & { kind: 'operate' }): Promise<void> {
  const { operate, render } = await import('./operator/run.ts');
  const answer = await operate(database, request);
  console.log(json ? JSON.stringify(answer, null, 2) : render(request, answer));
}

async function copy({ from, to }: Invocation & { kind: 'copy' }): Promise<void> {
  const { copyDatabase } = await import('./operator/copy.ts');
  console.log(await copyDatabase(from, to));
}

async function serve(config: Config): Promise<void> {
  for (const notice of config.withoutEffect) console.error(`underpassd: ${notice}`);
  const { default: pino } = await import('pino');
  const output = new LogOutput(2);
  const log = pino({ level: config.logLevel, base: null }, output);
  process.on('exit', () => output.flushSync());
  // The last net: a fault in one connection's handling must not end everyone else's.
  process.on('uncaughtException', (error) => log.error({ err: error }, 'uncaught exception'));
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));

  const { startDaemon } = await import('./daemon.ts');
  const daemon = await startDaemon(config, log, version);
  stopOnSignal(daemon, log);
  if (daemon.bootstrapFile !== null) {
    console.log(
      `first start: wrote the API key and the agents' authtoken to ${daemon.bootstrapFile} (keep it secret)`,
    );
  }
  console.log(`ready ${config.settings.baseUrl}`);
}

function stopOnSignal(daemon: Daemon, log: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info(
      { signal },
      'stopping: no new connections, waiting for what runs; a second signal ends it at once',
    );
    daemon.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(`underpassd: stopping failed: ${String(error)}`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  if (error instanceof HelpShown) process.exit(0);
  if (error instanceof ForOperator) {
    console.error(`underpassd: ${error.message}`);
    process.exit(error instanceof ConfigError ? 2 : 1);
  }
  console.error(error);
  process.exit(1);
});
