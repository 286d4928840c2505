/**
 * The WebSocket to TCP converter module: the backend gets what is in messages, as one stream of bytes. Never that a request
 * which is no WebSocket gets to a backend that does not speak HTTP.
 */
import type { SwitchModule } from '../../documents/index.ts';
import type { EdgeModule } from './module.ts';

export const websocketTcpConverter: EdgeModule<SwitchModule> = {
  compile: () => ({ converter: { name: 'websocket_tcp' } }),
};
