/** The backend that answers every request with one configured response. */
import type { StoredDocument } from '../../documents/index.ts';
import type { ExplainedBackend, Reply } from '../sites/site.ts';

export function httpResponseBackend({ id, body }: StoredDocument<'http_response_backend'>): ExplainedBackend {
  const reply: Reply = {
    kind: 'reply',
    status: body.status_code,
    headers: Object.entries(body.headers),
    body: Buffer.from(body.body, 'utf8'),
  };
  const why = `The backend is a fixed response with the status ${reply.status}.`;
  return {
    id,
    pick: () => reply,
    leadsTo: () => false,
    tunnels: () => null,
    preview: () => ({ id, instead: reply, why }),
  };
}
