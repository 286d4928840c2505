/** One change: its actor, and the old and the new fields. */
import type { Change, ChangedField } from '@underpass/client';
import { Dialog } from '@underpass/ui/dialog.tsx';
import { Facts } from '@underpass/ui/facts.tsx';
import { dateTime } from '@underpass/ui/format.ts';
import { href } from '../router.ts';

interface ChangeParts {
  readonly change: Change;
  readonly close: () => void;
}

export function ChangeView({ change, close }: ChangeParts) {
  const { actor, fields, fields_left_out } = change;
  const facts = [
    { name: 'Time', value: dateTime(change.created_at) },
    { name: 'Actor', value: actorOf(change) },
    { name: 'User', value: actor.user_id && linkTo(actor.user_id) },
    { name: 'API key', value: actor.credential_id && linkTo(actor.credential_id) },
    { name: 'Address', value: actor.address },
    { name: 'Operation', value: change.operation },
    { name: 'Request', value: change.operation_id },
    { name: 'Revision', value: change.revision },
    { name: 'Resource', value: resourceOf(change) },
  ];
  return (
    <Dialog title={titleOf(change)} close={close}>
      <Facts facts={facts} />
      <table class="changed">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Old</th>
            <th scope="col">New</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field.field}>
              <th scope="row">{field.field}</th>
              <Values field={field} />
            </tr>
          ))}
        </tbody>
      </table>
      {fields.length === 0 && <p class="remark">No field of it is recorded.</p>}
      {fields_left_out > 0 && <p class="remark">{fields_left_out} more fields had no room.</p>}
    </Dialog>
  );
}

function Values({ field }: { field: ChangedField }) {
  if (field.is_secret) return <td colSpan={2}>changed (secret)</td>;
  return (
    <>
      <td>{field.old ?? '—'}</td>
      <td>{field.new ?? '—'}</td>
    </>
  );
}

/** A change as a title, such as "https edge updated". */
export function titleOf({ kind, action }: Change): string {
  return `${kind.replaceAll('_', ' ')} ${action.replaceAll('_', ' ')}`;
}

/** The actor in words. */
export function actorOf({ actor: { type, name, user_id } }: Change): string {
  return name || user_id || type.replaceAll('_', ' ');
}

/** A deleted resource has no page. */
function resourceOf({ resource_id, resource_uri, action }: Change) {
  const edge = /\/edges\/https\/([^/]+)\/routes\//.exec(resource_uri)?.[1];
  if (action === 'deleted' || resource_uri === '') return <code>{resource_id}</code>;
  return linkTo(resource_id, edge === undefined ? {} : { parent: edge });
}

function linkTo(id: string, state: Readonly<Record<string, string>> = {}) {
  return <a href={href(['id', id], state)}>{id}</a>;
}
