/** The recorded bodies of a request. */
import { useSignal } from '@preact/signals';
import type { RecordedBody, TrafficRequestDetails } from '@underpass/client';
import { attempt } from '@underpass/ui/attempt.ts';
import { BodyView } from '@underpass/ui/body-view.tsx';
import { useEffect } from 'preact/hooks';
import { type BodyContent, contentOf } from './body-content.ts';

export function Bodies({ request }: { readonly request: TrafficRequestDetails }) {
  const { bodies, has_bodies } = request;
  if (bodies === null)
    return has_bodies ? <p class="remark">Its bodies were recorded. Viewers cannot read them.</p> : null;
  return (
    <section class="related" aria-label="Bodies">
      <h2>Request body</h2>
      <Body what="request body" body={bodies.request} />
      <h2>Response body</h2>
      <Body what="response body" body={bodies.response} />
    </section>
  );
}

function Body({ what, body }: { readonly what: string; readonly body: RecordedBody | null }) {
  const content = useSignal<BodyContent | null>(null);
  useEffect(() => {
    if (body === null) return;
    void attempt(async () => {
      content.value = await contentOf(body);
    });
  }, [body]);
  if (body === null) return <p class="nothing">No body.</p>;
  const { value } = content;
  if (value === null) return <p class="nothing">…</p>;
  const { bytes, type, encoding, size, isCut } = value;
  return <BodyView what={what} summary={{ size, isCut, encoding, contentType: type }} content={bytes} />;
}
