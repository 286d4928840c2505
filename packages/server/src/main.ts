/**
 * `underpassd`: the process around the daemon.
 * In: argv, environment, signals. Out: a ready line, exit codes (0 stopped, 1 could not start, 2 bad options).
 * What may change here: what the operator sees on the terminal; the daemon itself is daemon.ts.
 */
import { readFileSync } from 'node:fs';
import pino from 'pino';
import { readConfig } from './config.ts';
import { type Daemon, StartError, startDaemon } from './daemon.ts';
import { ConfigError, HelpShown } from './options.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

async function main(): Promise<void> {
  const config = readConfig(process.argv.slice(2), process.env, version);
  for (const notice of config.withoutEffect) console.error(`underpassd: ${notice}`);
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: false }));
  // The last net: a fault in one connection's handling must not end everyone else's.
  process.on('uncaughtException', (error) => log.error({ err: error }, 'uncaught exception'));
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));

  const daemon = await startDaemon(config, log, version);
  stopOnSignal(daemon, log);
  if (daemon.bootstrapFile !== null) {
    console.log(
      `first start: wrote the API key and the agents' authtoken to ${daemon.bootstrapFile} (keep it secret)`,
    );
  }
  console.log(`ready ${config.settings.baseUrl}`);
}

function stopOnSignal(daemon: Daemon, log: pino.Logger): void {
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
  if (error instanceof ConfigError || error instanceof StartError) {
    console.error(`underpassd: ${error.message}`);
    process.exit(error instanceof ConfigError ? 2 : 1);
  }
  console.error(error);
  process.exit(1);
});
