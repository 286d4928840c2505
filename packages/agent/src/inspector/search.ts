/** Looks for text in heads, bodies and messages that are kept. Never that it goes on for somebody who is gone. */
import type { Exchange } from './exchange.ts';
import { legible } from './head.ts';
import { decodedBody, payloadsOf } from './views.ts';

/** Those that have it anywhere, in whichever case. */
export async function search(
  exchanges: readonly Exchange[],
  text: string,
  signal: AbortSignal,
): Promise<Exchange[]> {
  const wanted = text.toLowerCase();
  const found: Exchange[] = [];
  for (const exchange of exchanges) {
    if (signal.aborted) return [];
    if (await has(exchange, wanted)) found.push(exchange);
  }
  return found;
}

async function has(exchange: Exchange, wanted: string): Promise<boolean> {
  const isIn = (text: string) => text.toLowerCase().includes(wanted);
  if (isIn(legible(exchange.requestLines)) || isIn(legible(exchange.responseLines))) return true;
  for (const side of ['request', 'response'] as const) {
    if (exchange[side].size === 0) continue;
    const { bytes } = await decodedBody(exchange, side);
    if (isIn(bytes.toString('utf8'))) return true;
  }
  return payloadsOf(exchange)
    .values()
    .some((payload) => isIn(payload.toString('utf8')));
}
