/** Name and version of the agent. */
import manifest from '../package.json' with { type: 'json' };

export const agentVersion: string = manifest.version;
