/** The WebSocket to TCP converter module: what is in messages reaches the backend as one stream of bytes (open points, B 4.8; text too, as agents expect it). */
import { switchModule } from './switch.ts';

export const websocketTcpConverterModule = switchModule(
  'websocket_tcp_converter',
  'EndpointWebsocketTCPConverter',
  'WebSocket to TCP converter',
  'Takes the messages of WebSockets apart for a backend that speaks TCP, and sends back binary ones.',
);
