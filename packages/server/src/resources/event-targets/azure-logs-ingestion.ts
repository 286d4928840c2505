/** Logs ingestion of Azure as a target (open points, part B 1.14). */

import { Type } from '../../core/type.ts';
import type { AzureLogsIngestionSettings } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { ErrorNeeding } from '../../errors/values.ts';
import { patterns } from '../patterns.ts';
import { asking, body, type Input, notBlank, optional, required, secret, text } from '../schema.ts';
import type { TargetType } from './target-type.ts';

const missing: Readonly<Record<keyof AzureLogsIngestionSettings, ErrorNeeding<'field'>>> = {
  tenant_id: 'azureTenantMissing',
  client_id: 'azureClientMissing',
  logs_ingestion_uri: 'azureUriMissing',
  data_collection_rule_id: 'azureRuleMissing',
  data_collection_stream_name: 'azureStreamMissing',
};

const descriptions: Readonly<Record<keyof AzureLogsIngestionSettings, string>> = {
  tenant_id: 'The directory that the application is registered in.',
  client_id: 'The application that events are sent as.',
  logs_ingestion_uri: 'The endpoint of the data collection, with https.',
  data_collection_rule_id: 'The immutable id of the rule.',
  data_collection_stream_name: 'The stream of the rule.',
};
const what = 'Logs ingestion of Azure.';

const field = (name: keyof AzureLogsIngestionSettings) => required(textOf(name), missing[name]);

function textOf(name: keyof AzureLogsIngestionSettings) {
  switch (name) {
    case 'logs_ingestion_uri':
      return text(2048, 'textTooLong', descriptions[name], {
        pattern: patterns.plainUri,
        examples: ['https://logs.example.com'],
      });
    case 'data_collection_rule_id':
      return text(255, 'textTooLong', descriptions[name], { pattern: patterns.notPath });
    default:
      return notBlank(text(255, 'textTooLong', descriptions[name]));
  }
}
const shown = (name: keyof AzureLogsIngestionSettings) => Type.String({ description: descriptions[name] });

const write = body(
  {
    tenant_id: field('tenant_id'),
    client_id: field('client_id'),
    client_secret: optional(
      secret(
        text(
          1024,
          'textTooLong',
          'The secret of the application. Shown as "". An update that leaves it out keeps it, as long as tenant_id, client_id and logs_ingestion_uri stay.',
          { pattern: patterns.secret },
        ),
      ),
    ),
    logs_ingestion_uri: field('logs_ingestion_uri'),
    data_collection_rule_id: field('data_collection_rule_id'),
    data_collection_stream_name: field('data_collection_stream_name'),
  },
  { description: what },
);

export const azureLogsIngestion = {
  write,
  create: asking(write, 'client_secret'),
  read: Type.Object(
    {
      tenant_id: shown('tenant_id'),
      client_id: shown('client_id'),
      client_secret: Type.String({ description: 'Always "".' }),
      logs_ingestion_uri: shown('logs_ingestion_uri'),
      data_collection_rule_id: shown('data_collection_rule_id'),
      data_collection_stream_name: shown('data_collection_stream_name'),
    },
    { $id: 'EventTargetAzureLogsIngestion', description: what },
  ),

  parse({ client_secret = '', ...settings }, pointer) {
    checkUri(settings.logs_ingestion_uri, `${pointer}/logs_ingestion_uri`);
    checkRule(settings.data_collection_rule_id, `${pointer}/data_collection_rule_id`);
    return {
      settings,
      secret: { value: client_secret, field: `${pointer}/client_secret`, missing: 'azureSecretMissing' },
    };
  },

  show(settings) {
    return { ...settings, client_secret: '' };
  },

  /** Includes the URI, because the token that the secret obtains is sent there. */
  secretBelongsTo({ tenant_id, client_id, logs_ingestion_uri }) {
    return { tenant_id, client_id, logs_ingestion_uri };
  },
} as const satisfies TargetType<AzureLogsIngestionSettings, Input<typeof write>>;

/** ASCII alone, and nothing that a URL parser would read as a user, a query or a fragment, or as a slash. */
const plainUri = /^https:\/\/(?!\/)(?:(?![?#@\\])[\x21-\x7e])+$/;

function checkUri(value: string, field: string): void {
  if (!plainUri.test(value) || !URL.canParse(value) || new URL(value).port === '0')
    throw new Problem('azureUriMalformed', { value }, { field });
}

/** The path of the rule as a resource is no id of it here. */
function checkRule(value: string, field: string): void {
  if (value.includes('/')) throw new Problem('azureRuleMalformed', { value }, { field });
}
