/** The monitoring service as a target (specification, section 2.19). */

import { isFault, parseHostname } from '../../core/names/hostname.ts';
import { Type } from '../../core/type.ts';
import type { MonitoringSettings } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { anyCase, patterns } from '../patterns.ts';
import { asking, body, type Input, optional, secret, text } from '../schema.ts';
import type { TargetType } from './target-type.ts';

/** The monitoring service's names of its sites. */
const shortNames: readonly string[] = ['us1', 'us3', 'us5', 'eu1', 'ap1'];

const what = 'The monitoring service.';
const tagsText = 'Tags that are sent with each event.';
const serviceText = 'The name of a service that is sent with each event.';
const siteText = `The site that events are sent to: ${shortNames.join(', ')}, or its host name; empty for the default.`;

const write = body(
  {
    api_key: optional(
      secret(
        text(
          1024,
          'textTooLong',
          'The key of the monitoring service. Shown as "". An update that leaves it out keeps it, as long as site stays.',
          { pattern: patterns.secret },
        ),
      ),
    ),
    tags: optional(text(4096, 'textTooLong', tagsText, { default: '' })),
    service: optional(text(255, 'textTooLong', serviceText, { default: '' })),
    site: optional(
      text(255, 'textTooLong', siteText, {
        pattern: `${patterns.hostname}|^\\s*(?:${shortNames.map(anyCase).join('|')})\\s*$|^$`,
        default: '',
      }),
    ),
  },
  { description: what, minProperties: 1 },
);

export const monitoring = {
  write,
  create: asking(write, 'api_key'),
  read: Type.Object(
    {
      api_key: Type.String({ description: 'Always "".' }),
      tags: Type.String({ description: tagsText }),
      service: Type.String({ description: serviceText }),
      site: Type.String({ description: siteText }),
    },
    { $id: 'EventTargetMonitoring', description: what },
  ),

  parse({ api_key = '', tags = '', service = '', site = '' }, pointer) {
    return {
      settings: { tags, service, site: site && canonical(site, `${pointer}/site`) },
      secret: { value: api_key, field: `${pointer}/api_key`, missing: 'monitoringKeyMissing' },
    };
  },

  show(settings) {
    return { api_key: '', ...settings };
  },

  secretBelongsTo({ site }) {
    return { site };
  },
} as const satisfies TargetType<MonitoringSettings, Input<typeof write>>;

function canonical(given: string, field: string): string {
  const site = given.trim();
  const short = site.toLowerCase();
  if (shortNames.includes(short)) return short;
  const hostname = parseHostname(site);
  if (isFault(hostname)) throw new Problem('monitoringSiteInvalid', { value: site }, { field });
  return hostname;
}
