/** Name and version of the agent. */
import { type VersionFacts, versionFacts } from '@underpass/wire';
import manifest from '../package.json' with { type: 'json' };

export const agentVersion: string = manifest.version;

/** Facts about this command. */
export function ownVersionFacts(): VersionFacts {
  return versionFacts(manifest, import.meta.url);
}

/** Returns the line about a newer version. Nothing is ever downloaded. */
export function newerVersionText(version: string): string {
  return `The server has version ${version}, and this agent is ${agentVersion}. Install the newer one when it suits you.`;
}
