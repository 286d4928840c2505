/** Logs ingestion of Azure as a target (open points, part B 1.14). */
import Type from 'typebox';
import type { ErrorName } from '../../errors/catalogue.ts';
import { Problem } from '../../errors/problem.ts';
import { shorten } from '../pointer.ts';
import { body, type Input, notBlank, optional, required, text } from '../schema.ts';
import type { TargetType } from './target-type.ts';

export type AzureLogsIngestionSettings = {
  readonly tenant_id: string;
  readonly client_id: string;
  /** `https://<host>[/<path>]`, without user, query and fragment. */
  readonly logs_ingestion_uri: string;
  readonly data_collection_rule_id: string;
  readonly data_collection_stream_name: string;
};

const missing: Readonly<Record<keyof AzureLogsIngestionSettings, ErrorName>> = {
  tenant_id: 'azureTenantMissing',
  client_id: 'azureClientMissing',
  logs_ingestion_uri: 'azureUriMissing',
  data_collection_rule_id: 'azureRuleMissing',
  data_collection_stream_name: 'azureStreamMissing',
};

const field = (name: keyof AzureLogsIngestionSettings, description: string) =>
  required(
    notBlank(text(name === 'logs_ingestion_uri' ? 2048 : 255, 'textTooLong', description)),
    missing[name],
  );

const write = body({
  tenant_id: field('tenant_id', 'The directory that the application is registered in.'),
  client_id: field('client_id', 'The application that events are sent as.'),
  client_secret: optional(
    text(
      1024,
      'textTooLong',
      'Shown as "". An update that leaves it out keeps it, as long as tenant_id, client_id and logs_ingestion_uri stay.',
    ),
  ),
  logs_ingestion_uri: field('logs_ingestion_uri', 'The endpoint of the data collection, with https.'),
  data_collection_rule_id: field('data_collection_rule_id', 'The immutable id of the rule.'),
  data_collection_stream_name: field('data_collection_stream_name', 'The stream of the rule.'),
});

export const azureLogsIngestion = {
  write,
  read: Type.Object(
    {
      tenant_id: Type.String(),
      client_id: Type.String(),
      client_secret: Type.String({ description: 'Always "".' }),
      logs_ingestion_uri: Type.String(),
      data_collection_rule_id: Type.String(),
      data_collection_stream_name: Type.String(),
    },
    { $id: 'EventTargetAzureLogsIngestion' },
  ),

  parse({ client_secret = '', ...settings }, pointer) {
    checkUri(settings.logs_ingestion_uri, `${pointer}/logs_ingestion_uri`);
    return {
      settings,
      secret: { value: client_secret, field: `${pointer}/client_secret`, missing: 'azureSecretMissing' },
    };
  },

  show(settings) {
    return { ...settings, client_secret: '' };
  },

  /** What the secret buys is a token, and that is sent to the URI. */
  secretBelongsTo({ tenant_id, client_id, logs_ingestion_uri }) {
    return { tenant_id, client_id, logs_ingestion_uri };
  },
} as const satisfies TargetType<AzureLogsIngestionSettings, Input<typeof write>>;

/** ASCII alone, and nothing that a URL parser would read as a user, a query or a fragment, or as a slash. */
const plainUri = /^https:\/\/(?!\/)(?:(?![?#@\\])[\x21-\x7e])+$/;

function checkUri(value: string, field: string): void {
  if (!plainUri.test(value) || !URL.canParse(value))
    throw new Problem('azureUriMalformed', { value: shorten(value) }, { field });
}
