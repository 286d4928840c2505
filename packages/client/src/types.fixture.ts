/**
 * Tests of types: `npm run types` compiles this file, and fails if a line below `@ts-expect-error` compiles. It never
 * runs.
 */
import { ApiError, type Client, type ErrorName, type Ref, type TLSEdge } from './index.ts';

export async function allowed(client: Client): Promise<readonly string[]> {
  const domain = await client.reservedDomains.create({ name: 'app', region: 'eu', description: null });
  const target: string | null = domain.cname_target;
  const backend = await client.httpResponseBackends.create();
  const edge = await client.tlsEdges.create({
    hostports: [`${domain.domain}:443`],
    backend: { backend_id: backend.id },
    tls_termination: { terminate_at: 'edge', min_version: '1.3' },
  });
  await client.tlsEdges.update(edge.id, { metadata: 'm' }, { signal: AbortSignal.timeout(1000) });
  const module = await client.tlsEdges.putBackend(edge.id, { backend_id: backend.id });
  const ref: Ref = module.backend;
  const inside: Ref | undefined = edge.backend?.backend;
  const nothing: undefined = (await client.tlsEdges.deleteBackend(edge.id)) as undefined;
  const edges: TLSEdge[] = [];
  for await (const it of client.tlsEdges.list({ limit: 10, beforeId: edge.id })) edges.push(it);
  for await (const page of client.tlsEdges.list().pages()) edges.push(...page.tls_edges);
  const next: string | null = (await client.tlsEdges.list().page()).next_page_uri;
  const credential = await client.credentials.create({ acl: ['bind:app.example.com'] });
  return [target, ref.id, inside?.id, nothing, next, credential.token].filter((it) => typeof it === 'string');
}

export async function misuse(client: Client): Promise<void> {
  // @ts-expect-error: a field that there is not
  await client.reservedDomains.create({ nam: 'app' });
  // @ts-expect-error: a region that there is not
  await client.reservedDomains.create({ name: 'app', region: 'mars' });
  // @ts-expect-error: a field of the wrong type
  await client.httpResponseBackends.create({ status_code: '200' });
  // @ts-expect-error: a field that must be given is not
  await client.ipPolicyRules.create({ cidr: '10.0.0.0/8', action: 'deny' });
  // @ts-expect-error: a body that must be given is not
  await client.certificateAuthorities.create();
  // @ts-expect-error: a module in the shape that reads have
  await client.tlsEdges.putBackend('edgtls_1', { backend: { id: 'bkdhr_1', uri: '' } });
  // @ts-expect-error: a rule stays with its policy
  await client.ipPolicyRules.update('ipr_1', { ip_policy_id: 'ipp_1' });
  // @ts-expect-error: the API creates no tunnels
  await client.tunnels.create({});
  // @ts-expect-error: the id is missing
  await client.tlsEdges.get();
  // @ts-expect-error: the ids of a route are two
  await client.httpsEdgeRoutes.get('edghts_1');
  // @ts-expect-error: what is read is not written to
  (await client.tlsEdges.get('edgtls_1')).hostports.push('app.example.com:443');
  // @ts-expect-error: it is null for all that are in use
  (await client.credentials.get('cr_1')).token.length;
  // @ts-expect-error: a list is iterated, not awaited
  (await client.tlsEdges.list()).length;
  // @ts-expect-error: a parameter that there is not
  client.tlsEdges.list({ before_id: 'edgtls_1' });
}

export function errors(error: unknown): ErrorName | null {
  if (!(error instanceof ApiError)) return null;
  // @ts-expect-error: a condition that there is not
  if (error.is('domainTaken')) return null;
  // @ts-expect-error: not every detail is always there
  error.details.field.length;
  return error.is('domainTakenHere', 'domainTakenElsewhere') ? 'domainTakenHere' : null;
}
