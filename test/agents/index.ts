/** Agents of both families, made from the text of the agent protocol alone: their codec is not the service's. */
import { goFamily } from './go-family.ts';
import { rustFamily } from './rust-family.ts';

export type { Protocol } from './family.ts';
export { type AgentTunnel, FamilyAgent } from './family-agent.ts';
export { type Home, localPort } from './join.ts';
export type { Service } from './session.ts';
export const families = [goFamily, rustFamily] as const;
