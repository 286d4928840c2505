/** What differs between the families of agents that speak the protocol, as its text has it. Everything else is `FamilyAgent`. */
import type { RawStream } from './raw-stream.ts';

export type Protocol = 'http' | 'https' | 'tcp' | 'tls';
export type Json = Readonly<Record<string, unknown>>;

export interface Credentials {
  readonly token: string;
  /** Of the session before, '' in the first one. */
  readonly clientId: string;
  readonly cookie: string;
}

/** What somebody who uses the agent asks for. */
export interface Wanted {
  /** A whole name, an address with its port, or nothing for any. */
  readonly name?: string;
  readonly modules?: Json;
}

export interface Family {
  readonly name: string;
  /** Milliseconds before each try after the end of a session; the last one is that of all further ones. */
  readonly retryMs: readonly number[];
  /** After a reconnect it takes no notice of what the service says of a tunnel's end. */
  readonly ignoresStopsOnceBack: boolean;
  readonly windowStep: number;
  /** In milliseconds; null: it does not miss them. */
  readonly heartbeat: { readonly intervalMs: number; readonly toleranceMs: number } | null;
  /** Of what it proxies, whether the end of one direction ends the other. */
  readonly closesBothHalves: boolean;
  /** What a visitor of HTTP gets when nobody listens at home; null: the end of the connection. */
  readonly badGateway: string | null;
  /** Whether it reads the head of a proxied connection inside its accept loop, where it cannot wait for a second frame. */
  readonly readsHeadAtOnce: boolean;
  auth(credentials: Credentials): Json;
  options(proto: Protocol, wanted: Wanted): Json;
  /** One answer of the service. Rejects what the family cannot read. */
  readAnswer(stream: RawStream): Promise<Json>;
  /** Rejects an answer that lacks what the family cannot do without. */
  checkAuth(answer: Json): void;
  checkBind(proto: Protocol, answer: Json): void;
  /** Answers a request of the service, and says whether the session is to end for good. */
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

/** As soon as one whole value is there, whatever comes after it. */
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
