/** The WebSocket to TCP converter module: binary messages reach the backend as one stream of bytes (open points, B 4.8). */
import { switchModule } from './switch.ts';

export const websocketTcpConverterModule = switchModule(
  'websocket_tcp_converter',
  'EndpointWebsocketTCPConverter',
  'WebSocket to TCP converter',
  'Takes the binary messages of WebSockets apart for a backend that speaks TCP.',
);
