/** The flags by which commands reach the management API: see settings.ts. */
import type { Command } from 'commander';

export function addConnectionFlags(command: Command): void {
  for (const [flag, meaning] of CONNECTION_FLAGS) command.option(flag, meaning);
}

const CONNECTION_FLAGS: readonly (readonly [flag: string, meaning: string])[] = [
  ['--api-url <url>', 'where the API is; else UNDERPASS_API_URL'],
  ['--api-key <token>', 'token of an API key; else UNDERPASS_API_KEY'],
  ['--ca <file>', "PEM of the authority that signed the server's certificate; else UNDERPASS_CA"],
  [
    '--ca-fingerprint <sha256:hex>',
    'fingerprint of that authority, instead of its file; else UNDERPASS_CA_FINGERPRINT',
  ],
  [
    '--version-header <name>',
    'name of the version header, if the server is configured for another one than Service-Version',
  ],
];
