/** Describes the modules that change requests and responses, without their values, which may be secrets. */

import type { CompiledRoute } from '../../edge/compile/compile-route.ts';
import { websocketHandshake } from '../../edge/http/websocket-handshake.ts';
import type { RouteModuleName } from '../../edge/modules/index.ts';
import type { ReadRequest } from './request-head.ts';
import { type Judged, passed } from './trace.ts';
import { refused } from './verdicts.ts';

/** Names of header fields in a sentence. */
const MOST_NAMED = 10;

/** Returns the judgement of a module without guards. `made`: what was compiled from its configuration. */
export function judgeEdits(
  name: RouteModuleName,
  { made, bodyGuards }: CompiledRoute,
  read: ReadRequest,
): Judged {
  switch (name) {
    case 'websocket_tcp_converter': {
      const fault = bodyGuards.length > 0 ? 'websocketExpected' : websocketHandshake(read.head, read.request);
      if (typeof fault === 'string')
        return refused(
          fault,
          'The request is no valid WebSocket handshake, which the converter needs.',
          true,
        );
      return passed('The WebSocket becomes a TCP stream to the backend.');
    }
    case 'request_headers':
      return passed(`Header fields of the request change: ${changesOf(made.get(name)?.config)}.`);
    case 'response_headers':
      return passed(`Header fields of the response change: ${changesOf(made.get(name)?.config)}.`);
    case 'compression':
      return passed('The response is compressed if its type is suitable and the visitor accepts it.');
    default:
      return passed('The module lets the request pass.');
  }
}

function changesOf(config: unknown): string {
  const { add, remove } = config as { readonly add: object; readonly remove: readonly string[] };
  const added = Object.keys(add);
  const parts = [
    ...(remove.length > 0 ? [`removed ${listed(remove)}`] : []),
    ...(added.length > 0 ? [`added ${listed(added)}`] : []),
  ];
  return parts.length === 0 ? 'none' : parts.join('; ');
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return [...names.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
