/** What the agent calls itself. */
import manifest from '../package.json' with { type: 'json' };

export const agentVersion: string = manifest.version;
