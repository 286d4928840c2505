/** Agents of both families, made from the text of the agent protocol alone: their codec is not the service's. */
import { goFamily } from './go-family.ts';
import { rustFamily } from './rust-family.ts';

export { type Credentials, type Family, type Json, object, type Protocol, text } from './family.ts';
export { type AgentTunnel, FamilyAgent } from './family-agent.ts';
export { type Home, join, localPort } from './join.ts';
export { StreamType } from './raw-session.ts';
export { AgentSession, type ProxyHeader, type Service } from './session.ts';
export { tagged } from './tagged.ts';
export const families = [goFamily, rustFamily] as const;
