/** Prefix and alias of bot users, for all fields with their ids (open points, part B 1.4). */
import type { KindAlias } from './definition.ts';

const alias: KindAlias = {
  name: 'service_user',
  prefix: 'service',
  path: '/service_users',
  listKey: 'service_users',
  schemaName: 'ServiceUser',
  summary: 'Service users',
  description:
    'Bot users under their newer name. Each is at both paths: here with an id that begins with "service_" and goes on like its other one, which is refused here.',
  one: 'a service user',
  example: { name: 'backup' },
};

export const botUserIds = { prefix: 'bot', alias };
