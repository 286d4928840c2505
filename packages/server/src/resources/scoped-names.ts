/** Names that are unique within an account or another resource, as claims; ids have no slash. */
import type { NameClaim } from '../store/store.ts';

/** A claim on `name` within the resource `scope`, an id. */
export function nameWithin(scope: string, kind: string, name: string): NameClaim {
  return { kind, value: `${scope}/${name}` };
}

/** The name that such a claim is on. */
export function nameOf({ value }: NameClaim): string {
  return value.slice(value.indexOf('/') + 1);
}
