/** Options `Compression` and `WebsocketTCPConverter`: `{}`, whose presence requests the module. */
import type { SwitchModule } from '../../documents/index.ts';
import type { AgentCompression } from '../../online/agent-modules.ts';
import type { ModuleOption } from './option.ts';

export const compressionOption: ModuleOption<AgentCompression> = {
  option: 'Compression',
  fields: [],
  asksByPresence: true,
  read: () => ({ enabled: true, compressesAll: true }),
};

export const websocketTcpConverterOption: ModuleOption<SwitchModule> = {
  option: 'WebsocketTCPConverter',
  fields: [],
  asksByPresence: true,
  read: () => ({ enabled: true }),
};
