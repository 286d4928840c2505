/** TLS certificates, the soonest end first, and the managed ones of reserved domains. */
import type { ReservedDomain, TLSCertificate } from '@underpass/client';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { Status } from '@underpass/ui/status.tsx';
import { type Column, Table } from '@underpass/ui/table.tsx';
import { useAll } from '../api/all.ts';
import { mayWrite } from '../api/session.ts';
import { daysUntil, expiryKind, expiryText, soonestFirst } from '../certificates/expiry.ts';
import { Order } from '../certificates/order.tsx';
import { href } from '../router.ts';

const COLUMNS: readonly Column<TLSCertificate>[] = [
  { name: 'Names', width: 'minmax(0, 4fr)', cell: namesOf },
  {
    name: 'Issuer',
    width: 'minmax(0, 2fr)',
    cell: ({ issuer_common_name }) => issuer_common_name || '—',
    isWide: true,
  },
  {
    name: 'Origin',
    width: '7em',
    cell: ({ issued_at }) => (issued_at === null ? 'uploaded' : 'issued'),
    isWide: true,
  },
  { name: 'Expires in', width: '7em', align: 'end', cell: Expiry },
];

/** Cards of domains that are drawn. */
const CARDS_MAX = 100;

export default function Certificates() {
  const { rows, error, isLoading, refresh, isComplete } = useAll<TLSCertificate>(
    '/tls_certificates?limit=100',
  );
  return (
    <>
      <header class="page-head">
        <h1>Certificates</h1>
        {mayWrite() && (
          <div class="actions">
            <a class="button" href={href(['resources', 'tls_certificate', 'new'])}>
              Upload
            </a>
          </div>
        )}
      </header>
      {error !== null && <Failure error={error} retry={refresh} />}
      {isLoading && <Loading what="the certificates" />}
      {!isLoading && error === null && rows.length === 0 && (
        <Empty
          title="There is no TLS certificate yet."
          command="underpass api tls-certificates create --help"
        />
      )}
      {rows.length > 0 && (
        <Table
          label="TLS certificates"
          columns={COLUMNS}
          rows={soonestFirst(rows)}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => href(['id', id])}
        />
      )}
      {!isLoading && error === null && !isComplete && rows.length > 0 && (
        <p class="remark">The newest {rows.length} certificates, the soonest end first.</p>
      )}
      <Domains />
    </>
  );
}

function Domains() {
  const { rows, error, refresh } = useAll<ReservedDomain>('/reserved_domains?limit=100');
  const shown = rows.filter((one) => one.certificate_management_policy !== null || one.cname_target !== null);
  if (error !== null) return <Failure error={error} retry={refresh} />;
  if (shown.length === 0) return null;
  return (
    <section class="related" aria-label="Domains">
      <h2>Domains</h2>
      <div class="cards">
        {[...shown]
          .sort(failedFirst)
          .slice(0, CARDS_MAX)
          .map((domain) => (
            <Order key={domain.id} domain={domain} />
          ))}
      </div>
      {shown.length > CARDS_MAX && (
        <p>
          <a href={href(['resources', 'reserved_domain'])}>{shown.length - CARDS_MAX} more domains</a>
        </p>
      )}
    </section>
  );
}

function Expiry({ not_after }: TLSCertificate) {
  const days = daysUntil(not_after, Date.now());
  return <Status kind={expiryKind(days)}>{expiryText(days)}</Status>;
}

function namesOf({ subject_alternative_names: { dns_names, ips }, subject_common_name, id }: TLSCertificate) {
  return [...dns_names, ...ips].join(', ') || subject_common_name || id;
}

function failedFirst(a: ReservedDomain, b: ReservedDomain): number {
  const weight = (one: ReservedDomain) =>
    one.certificate_management_status?.provisioning_job?.error_code == null ? 1 : 0;
  return weight(a) - weight(b);
}
