/**
 * Searches for text in kept heads, bodies and messages.
 * Invariant: a search ends when its caller is gone.
 */
import { percentDecoded } from '@underpass/wire/percent';
import type { Exchange } from './exchange.ts';
import { foldCase } from './fold-case.ts';
import { grpcMessagesOf } from './grpc-messages.ts';
import { legible } from './head.ts';
import { decodedBody, payloadsOf } from './views.ts';

/** Returns the exchanges that contain the text anywhere, without case. */
export async function search(
  exchanges: readonly Exchange[],
  text: string,
  signal: AbortSignal,
): Promise<Exchange[]> {
  const wanted = foldCase(text);
  const found: Exchange[] = [];
  for (const exchange of exchanges) {
    if (signal.aborted) return [];
    if (await has(exchange, wanted)) found.push(exchange);
  }
  return found;
}

async function has(exchange: Exchange, wanted: string): Promise<boolean> {
  const isIn = (text: string) =>
    foldCase(text).includes(wanted) || (text.includes('%') && foldCase(formDecoded(text)).includes(wanted));
  if (isIn(legible(exchange.requestLines)) || isIn(legible(exchange.responseLines))) return true;
  for (const side of ['request', 'response'] as const) {
    if (exchange[side].size === 0) continue;
    const { bytes } = await decodedBody(exchange, side);
    if (isIn(bytes.toString('utf8'))) return true;
  }
  const inMessages = payloadsOf(exchange).values();
  return inMessages.some((payload) => isIn(payload.toString('utf8'))) || (await hasInCall(exchange, isIn));
}

/** The messages of gRPC, which may be compressed one by one. */
async function hasInCall(exchange: Exchange, isIn: (text: string) => boolean): Promise<boolean> {
  const { messages } = await grpcMessagesOf(exchange);
  return messages.some(({ kind, text }) => {
    if (text === null) return false;
    return isIn(kind === 'text' ? text : Buffer.from(text, 'hex').toString('utf8'));
  });
}

/** Paths and forms are percent-encoded, and forms have + for a space. */
function formDecoded(text: string): string {
  return percentDecoded(text.replaceAll('+', ' '));
}
