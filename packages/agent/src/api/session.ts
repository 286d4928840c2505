/** Opens a client from flags and prints what the API refuses. */
import { ApiError, Client, ClientError, ConnectionError, type Retry } from '@underpass/client';
import { InvalidInput } from '../address.ts';
import { printableMessage } from '../printable.ts';
import { connectionAdvice } from './connection-advice.ts';
import { NameError } from './lookup.ts';
import { type ApiFlags, readApiSettings } from './settings.ts';
import { writeAll } from './write-all.ts';

const NOTICEABLE_MS = 1000;

/**
 * Runs `act` with a client and closes it. Resolves with its exit code, or with 1 after the reason of a refusal went to
 * stderr. Throws InvalidInput.
 */
export async function withApi(
  flags: ApiFlags,
  act: (client: Client) => Promise<number>,
  onRetry: (retry: Retry) => void = printRetry,
): Promise<number> {
  const client = clientOf(flags, onRetry);
  try {
    return await act(client);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await writeAll(process.stderr, `${refusalLines(error).join('\n')}\n`);
    return 1;
  } finally {
    client.close();
  }
}

function clientOf(flags: ApiFlags, onRetry: (retry: Retry) => void): Client {
  const settings = readApiSettings(flags, process.env, process.cwd());
  try {
    return new Client({ ...settings, onRetry });
  } catch (error) {
    if (error instanceof TypeError) throw new InvalidInput(error.message);
    throw error;
  }
}

export function isRefusal(error: unknown): error is ClientError | NameError {
  return error instanceof ClientError || error instanceof NameError;
}

/** A refusal as lines: the message, then its remedy, or its code and details. */
export function refusalLines(error: Error): readonly string[] {
  const message = `underpass: ${printableMessage(error.message)}`;
  if (error instanceof ConnectionError) {
    const remedy = connectionAdvice(error);
    return remedy === null ? [message] : [message, remedy];
  }
  if (!(error instanceof ApiError)) return [message];
  const facts = { code: `${error.code} (HTTP ${error.status})`, ...error.details };
  return [
    message,
    ...Object.entries(facts).map(([name, value]) => `  ${printableMessage(`${name}: ${value}`)}`),
  ];
}

function printRetry({ error, delayMs }: Retry): void {
  if (delayMs < NOTICEABLE_MS) return;
  process.stderr.write(
    `underpass: ${printableMessage(error.message)} (next try in ${Math.ceil(delayMs / 1000)} s)\n`,
  );
}
