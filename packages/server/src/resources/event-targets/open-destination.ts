/**
 * Opens the target of a destination, with its secret.
 * Invariant: the secret is in clear in the opened target only.
 */
import type { Settings } from '../../core/settings.ts';
import type { EventDestinationDocument } from '../../documents/index.ts';
import type { DeliveryMarks } from '../../events/targets/delivery-marks.ts';
import { openTarget } from '../../events/targets/open-target.ts';
import type { Target } from '../../events/targets/target.ts';
import type { DocumentOf, Sealing } from '../definition.ts';
import { secretContext } from './index.ts';

/** Rejects when the secret does not open. */
export async function openDestination(
  { id, account, body: { target } }: Pick<DocumentOf<EventDestinationDocument>, 'id' | 'account' | 'body'>,
  sealer: Sealing,
  settings: Settings,
  marks: Pick<DeliveryMarks, 'of'> | null,
): Promise<Target> {
  const { secret_sealed: sealed } = target;
  const secret = sealed === '' ? '' : sealer.open(sealed, secretContext(id));
  return openTarget(target, secret, { destination: id, account, settings, marks });
}
