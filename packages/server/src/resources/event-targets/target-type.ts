/** Definition of a kind of event target: its address and its one secret. */
import type { TObject } from '../../core/type.ts';
import { Problem } from '../../errors/problem.ts';
import { type ErrorNeeding, Terms } from '../../errors/values.ts';
import type { JsonObject } from '../../store/store.ts';

/** A secret as a request gives it. */
export interface GivenSecret {
  /** '' when it was left out. */
  readonly value: string;
  /** JSON pointer in the request. */
  readonly field: string;
  /** Raised when there is none, and none is stored. */
  readonly missing: ErrorNeeding<'field'>;
}

/** A target without its secret, which is stored apart from it. */
export interface ParsedTarget<Settings extends JsonObject> {
  readonly settings: Settings;
  /** Null for a target that takes none. */
  readonly secret: GivenSecret | null;
}

export interface TargetType<Settings extends JsonObject = JsonObject, Input = unknown> {
  /** Schema of an update, which keeps a missing secret. */
  readonly write: TObject;
  /** Schema of a creation, which requires the secret. */
  readonly create: TObject;
  readonly read: TObject;
  /** `pointer` is the JSON pointer of the target in the request. Raises Problem. */
  parse(input: Input, pointer: string): ParsedTarget<Settings>;
  /** Every secret is shown as ''. */
  show(settings: Settings): JsonObject;
  /** Returns the settings that the secret belongs to, by the field beside it. A stored secret is used for no other values. */
  secretBelongsTo(settings: Settings): Readonly<Record<string, string>>;
}

/** A target as it is stored. */
export interface StoredTarget<Settings extends JsonObject = JsonObject> {
  readonly settings: Settings;
  /** '' when there is no secret. */
  readonly secret_sealed: string;
}

/** The secret that a target has from now on: the one that is stored, sealed as it is, or another. */
export type Secret = { readonly sealed: string } | { readonly plain: string };

/** White space in a secret comes from copying. A line break in a header begins another header. */
const usable = /^[\x21-\x7e]+$/;

/**
 * Chooses the secret of a parsed target. `current` is the stored target, null for a creation. Raises Problem if the
 * request has no secret and the stored one cannot be used: there is none, or it belongs to another place.
 */
export function chooseSecret<Settings extends JsonObject>(
  type: TargetType<Settings>,
  { settings, secret }: ParsedTarget<Settings>,
  current: StoredTarget<Settings> | null,
): Secret {
  if (secret === null) return { sealed: '' };
  const { value, field, missing } = secret;
  if (value !== '') {
    if (!usable.test(value)) throw new Problem('eventSecretMalformed', { field }, { field });
    return { plain: value };
  }
  if (current === null || current.secret_sealed === '') throw new Problem(missing, { field }, { field });
  const before = type.secretBelongsTo(current.settings);
  const beside = field.slice(0, field.lastIndexOf('/'));
  for (const [name, now] of Object.entries(type.secretBelongsTo(settings))) {
    if (before[name] === now) continue;
    throw new Problem('eventSecretNeeded', { field, changed: new Terms(beside, [name]) }, { field });
  }
  return { sealed: current.secret_sealed };
}
