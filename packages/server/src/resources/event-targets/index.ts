/** All kinds of event targets. */
import { Type } from '../../core/type.ts';
import type { EventTarget } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { Terms } from '../../errors/values.ts';
import type { JsonObject } from '../../store/store.ts';
import type { Sealing } from '../definition.ts';
import { body, exactlyOne, type Input, nullable, optional } from '../schema.ts';
import { azureLogsIngestion } from './azure-logs-ingestion.ts';
import { deliveryStream, logGroup, stream } from './cloud.ts';
import { monitoring } from './monitoring.ts';
import { s3 } from './s3.ts';
import { chooseSecret, type TargetType } from './target-type.ts';

/** The names are those of the fields of `target`. */
const types = {
  delivery_stream: deliveryStream,
  stream,
  log_group: logGroup,
  s3,
  monitoring,
  azure_logs_ingestion: azureLogsIngestion,
} as const;

const names = Object.keys(types) as EventTarget['type'][];

const oneTarget = {
  description: 'The target of events: exactly one of these.',
  minProperties: 1,
  ...exactlyOne(names),
};

export const targetWrite = body(
  {
    delivery_stream: optional(types.delivery_stream.write),
    stream: optional(types.stream.write),
    log_group: optional(types.log_group.write),
    s3: optional(types.s3.write),
    monitoring: optional(types.monitoring.write),
    azure_logs_ingestion: optional(types.azure_logs_ingestion.write),
  },
  oneTarget,
);

export const targetCreate: typeof targetWrite = body(
  {
    delivery_stream: optional(types.delivery_stream.create),
    stream: optional(types.stream.create),
    log_group: optional(types.log_group.create),
    s3: optional(types.s3.create),
    monitoring: optional(types.monitoring.create),
    azure_logs_ingestion: optional(types.azure_logs_ingestion.create),
  },
  oneTarget,
);

export const targetRead = Type.Object(
  {
    delivery_stream: nullable(types.delivery_stream.read),
    stream: nullable(types.stream.read),
    log_group: nullable(types.log_group.read),
    s3: nullable(types.s3.read),
    monitoring: nullable(types.monitoring.read),
    azure_logs_ingestion: nullable(types.azure_logs_ingestion.read),
  },
  { $id: 'EventTarget', description: 'The target of events: all but one are null.' },
);

export interface TargetDraft {
  /** The target without the secret of the request. */
  readonly target: EventTarget;
  /** Returns the target with that secret sealed for the destination with this id. */
  seal(id: string, sealer: Sealing): EventTarget;
}

/** `current` is the stored target, null for a creation. Raises Problem. */
export function parseTarget(input: Input<typeof targetWrite>, current: EventTarget | null): TargetDraft {
  const field = '/target';
  const given = names.filter((name) => input[name] !== undefined);
  const [name] = given;
  if (name === undefined) throw new Error('a target has no kind of target');
  if (given.length > 1)
    throw new Problem('eventTargetSeveral', { value: new Terms(field, given) }, { field });
  if (current !== null && current.type !== name) {
    const values = { current: new Terms(field, [current.type]), value: new Terms(field, [name]) };
    throw new Problem('eventTargetTypeFixed', values, { field: `${field}/${name}` });
  }

  const type: TargetType = types[name];
  const parsed = type.parse(input[name], `${field}/${name}`);
  const secret = chooseSecret(type, parsed, current);
  const withSecret = (secret_sealed: string) =>
    ({ type: name, settings: parsed.settings, secret_sealed }) as EventTarget;
  if ('sealed' in secret) {
    const target = withSecret(secret.sealed);
    return { target, seal: () => target };
  }
  return {
    target: withSecret(''),
    seal: (id, sealer) => withSecret(sealer.seal(secret.plain, secretContext(id))),
  };
}

/** Every kind of target by its name, null for all but one. */
export function showTarget({ type, settings }: EventTarget): JsonObject {
  return Object.fromEntries(
    names.map((name) => [name, name === type ? (types[name] as TargetType).show(settings) : null]),
  );
}

/** Returns the place of the sealed secret of an event destination. */
export function secretContext(id: string): string {
  return `${id}/target_secret`;
}
