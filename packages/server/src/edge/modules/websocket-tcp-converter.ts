/**
 * The WebSocket to TCP converter module: the backend gets the content of messages as one stream of bytes.
 * Invariant: a backend that does not speak HTTP gets no request without an upgrade.
 */
import type { SwitchModule } from '../../documents/index.ts';
import type { EdgeModule } from './module.ts';

export const websocketTcpConverter: EdgeModule<SwitchModule> = {
  compile: () => ({ converter: { name: 'websocket_tcp' } }),
};
