/** Differences between the families of agents, by the protocol's text. `FamilyAgent` has the common part. */
import type { RawStream } from './raw-stream.ts';

export type Protocol = 'http' | 'https' | 'tcp' | 'tls';
export type Json = Readonly<Record<string, unknown>>;

export interface Credentials {
  readonly token: string;
  /** Client id of the previous session, '' in the first one. */
  readonly clientId: string;
  readonly cookie: string;
  /** Number of the connection among those of the agent; absent: 0. */
  readonly leg?: number;
}

/** Options of the agent's user. */
export interface Wanted {
  /** A whole name, an address with its port, or nothing for any. */
  readonly name?: string;
  readonly modules?: Json;
}

export interface Family {
  readonly name: string;
  /** Milliseconds before each try after the end of a session; the last one is that of all further ones. */
  readonly retryMs: readonly number[];
  /** It ignores notifications about ended tunnels after a reconnect. */
  readonly ignoresStopsOnceBack: boolean;
  readonly windowStep: number;
  /** Milliseconds; null: it does not detect missing heartbeats. */
  readonly heartbeat: { readonly intervalMs: number; readonly toleranceMs: number } | null;
  /** The end of one direction of a proxied connection ends the other. */
  readonly closesBothHalves: boolean;
  /** Response to an HTTP visitor if the local service is unreachable; null: the end of the connection. */
  readonly badGateway: string | null;
  /** True if it reads the head of a proxied connection inside its accept loop, where it cannot wait for a second frame. */
  readonly readsHeadAtOnce: boolean;
  auth(credentials: Credentials): Json;
  options(proto: Protocol, wanted: Wanted): Json;
  /** One answer of the service. Rejects what the family cannot read. */
  readAnswer(stream: RawStream): Promise<Json>;
  /** Rejects an answer that lacks what the family cannot do without. */
  checkAuth(answer: Json): void;
  checkBind(proto: Protocol, answer: Json): void;
  /** Responds to a request of the service, and returns whether the session is to end for good. */
  answerRequest(type: number, stream: RawStream): Promise<'goes on' | 'ends'>;
}

export function text(answer: Json, key: string): string {
  const value = answer[key];
  if (typeof value !== 'string') throw new Error(`${key} is no text: ${JSON.stringify(answer)}`);
  return value;
}

export function object(answer: Json, key: string): Json {
  const value = answer[key];
  if (typeof value !== 'object' || value === null)
    throw new Error(`${key} is no object: ${JSON.stringify(answer)}`);
  return value as Json;
}

/** Resolves after one whole value, whatever follows it. */
export async function readJson(stream: RawStream): Promise<Json> {
  let received = '';
  for (;;) {
    const chunk = await stream.chunk();
    if (chunk === null) throw new Error(`no whole JSON value: ${received}`);
    received += chunk.toString();
    const value = parsed(received);
    if (value !== null) return value;
  }
}

export async function readToEnd(stream: RawStream): Promise<string> {
  let received = '';
  for (let chunk = await stream.chunk(); chunk !== null; chunk = await stream.chunk())
    received += chunk.toString();
  return received;
}

function parsed(json: string): Json | null {
  try {
    return JSON.parse(json) as Json;
  } catch {
    return null;
  }
}
