/** The compression module: answers go out with gzip or deflate to visitors who take it (specification, section 2.6; open points, B 4.8). */
import { switchModule } from './switch.ts';

export const compressionModule = switchModule(
  'compression',
  'EndpointCompression',
  'Compression',
  'Compresses answers for visitors who take that.',
);
