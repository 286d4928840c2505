/** The managed certificate of a reserved domain: the state of its order, a check of DNS, and a renewal. */

import { useSignal } from '@preact/signals';
import type { ReservedDomain, ReservedDomainCheck } from '@underpass/client';
import { announce } from '@underpass/ui/announce.tsx';
import { attempt } from '@underpass/ui/attempt.ts';
import { Facts } from '@underpass/ui/facts.tsx';
import { dateTime } from '@underpass/ui/format.ts';
import { Status } from '@underpass/ui/status.tsx';
import { invalidate } from '../api/cache.ts';
import { send } from '../api/http.ts';
import { mayWrite } from '../api/session.ts';
import { href } from '../router.ts';

export function Order({ domain }: { domain: ReservedDomain }) {
  const checked = useSignal<ReservedDomainCheck | null>(null);
  const path = `/reserved_domains/${encodeURIComponent(domain.id)}`;
  const check = () =>
    attempt(async () => {
      checked.value = (await send<ReservedDomainCheck>({ method: 'POST', path: `${path}/check` })).data;
      announce(checked.value.message);
    });
  const renew = () =>
    attempt(async () => {
      await send({ method: 'POST', path: `${path}/renew` });
      invalidate('/reserved_domains', '/tls_certificates');
      announce(`The certificate of ${domain.domain} is being renewed`);
    });
  return (
    <section class="card" aria-label={domain.domain}>
      <h2>
        <a href={href(['id', domain.id])}>{domain.domain}</a>
      </h2>
      <Progress domain={domain} />
      {mayWrite() && (
        <p class="actions">
          <button type="button" onClick={() => void check()}>
            Check DNS now
          </button>
          {domain.certificate_management_policy !== null && (
            <button type="button" onClick={() => void renew()}>
              Renew now
            </button>
          )}
        </p>
      )}
      {checked.value !== null && <Checked result={checked.value} />}
    </section>
  );
}

function Progress({
  domain: { certificate, certificate_management_status: status },
}: {
  domain: ReservedDomain;
}) {
  const job = status?.provisioning_job ?? null;
  const isFailed = job !== null && job.error_code !== null;
  const word = isFailed
    ? 'failed'
    : job !== null
      ? 'in progress'
      : certificate !== null
        ? 'issued'
        : status === null
          ? 'no certificate'
          : 'waiting';
  return (
    <>
      <p>
        <Status kind={isFailed ? 5 : job !== null ? 4 : certificate !== null ? 2 : 4}>{word}</Status>{' '}
        {job !== null && `${job.error_code ?? ''} ${job.msg}`}
      </p>
      {job?.error_code === 'DNS_ERROR' && <p class="remark">Change the DNS record, check DNS, then renew.</p>}
      <Facts
        facts={[
          ...(job?.retries_at ? [{ name: 'Next attempt', value: dateTime(job.retries_at) }] : []),
          ...(status?.renews_at ? [{ name: 'Renews', value: dateTime(status.renews_at) }] : []),
          ...(certificate === null
            ? []
            : [{ name: 'Certificate', value: <a href={href(['id', certificate.id])}>{certificate.id}</a> }]),
        ]}
      />
    </>
  );
}

function Checked({ result: { message, records, addresses } }: { result: ReservedDomainCheck }) {
  return (
    <div role="status">
      <p>{message}</p>
      <ul>
        {records.map(({ name, type, value, found, state }) => (
          <li key={`${name} ${type} ${value}`} class="wrapped">
            <Status kind={state === 'right' ? 2 : state === 'unknown' ? 4 : 5}>{state}</Status>{' '}
            <span>
              <code>
                {name} {type} {value}
              </code>{' '}
              {found.length > 0 && state !== 'right' && `found: ${found.join(', ')}`}
            </span>
          </li>
        ))}
      </ul>
      {addresses.length > 0 && <p class="remark">It resolves to {addresses.join(', ')}.</p>}
    </div>
  );
}
