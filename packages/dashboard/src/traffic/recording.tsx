/** Recordings of bodies: begun for a site, visible while they last, and ended. */
import type { TrafficRecording, TrafficRecordingList } from '@underpass/client';
import { time } from '@underpass/ui/format.ts';
import { Status } from '@underpass/ui/status.tsx';
import { invalidate, useGet } from '../api/cache.ts';
import { send } from '../api/http.ts';
import { mayWrite, session } from '../api/session.ts';
import { Confirm } from '../parts/confirm.tsx';
import { href } from '../router.ts';
import { useRefresh } from './refresh.ts';

const PATH = '/traffic/recordings';
const READ_MS = 10_000;
const MINUTES = 15;

/** All recordings that last. */
function useActive(): readonly TrafficRecording[] {
  const entry = useGet<TrafficRecordingList>(PATH);
  useRefresh(() => void entry.refresh(), READ_MS);
  return (entry.data.value?.recordings ?? []).filter(({ is_active }) => is_active);
}

/** The state of one edge or endpoint, with a button to begin or end. Other sites have none. */
export function RecordBodies({ site, host }: { readonly site: string; readonly host: string }) {
  const active = useActive();
  if (!/^(?:edghts|ep)_/.test(site)) return null;
  const own = active.find((one) => one.site_id === site || (one.host !== '' && one.host === host));
  if (own !== undefined) return <Running recording={own} />;
  if (!mayWrite()) return null;
  const { value } = session;
  const account =
    value === null || value === 'unknown' || value.account === '' ? 'this account' : value.account;
  return (
    <Confirm
      label={`Record bodies for ${MINUTES} minutes`}
      question="Record bodies?"
      confirm="Record bodies"
      done="Bodies are recorded"
      act={async () => {
        await send({ method: 'POST', path: PATH, body: { site_id: site, minutes: MINUTES } });
        invalidate(PATH);
      }}
    >
      <p>
        For {MINUTES} minutes, the first 64 KiB of each request and response body are kept in memory. They may
        contain passwords and personal data of visitors.
      </p>
      <p>
        All members and admins of {account} can read them for an hour. Viewers cannot. The audit trail shows
        that you began the recording.
      </p>
      <p class="remark">WebSockets, and requests that a module refuses, are not recorded.</p>
    </Confirm>
  );
}

/** All recordings that last, each with a button to end it. */
export function Recordings() {
  const active = useActive();
  if (active.length === 0) return null;
  return (
    <section aria-label="Recordings of bodies">
      {active.map((recording) => (
        <p key={recording.id} class="actions">
          <Running recording={recording} />
          <a href={href(['traffic'], { filter: `site = ${recording.site_id}` })}>{recording.site_id}</a>
        </p>
      ))}
    </section>
  );
}

function Running({ recording: { id, ends_at } }: { readonly recording: TrafficRecording }) {
  return (
    <>
      <Status kind={4}>Bodies are recorded until {time(Date.parse(ends_at))}</Status>
      {mayWrite() && (
        <Confirm
          label="Stop recording"
          question="Stop the recording?"
          confirm="Stop recording"
          done="The recording has ended"
          act={async () => {
            await send({ method: 'DELETE', path: `${PATH}/${encodeURIComponent(id)}` });
            invalidate(PATH);
          }}
        >
          <p>Recorded bodies stay for an hour after their request at most.</p>
        </Confirm>
      )}
    </>
  );
}
