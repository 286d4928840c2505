/** TLS certificates, page by page, and the managed ones of reserved domains. */
import type { TLSCertificate } from '@underpass/client';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { Status } from '@underpass/ui/status.tsx';
import { type Column, Table } from '@underpass/ui/table.tsx';
import { useMemo } from 'preact/hooks';
import { useFilled } from '../api/filled.ts';
import { useList } from '../api/list.ts';
import { mayWrite } from '../api/session.ts';
import { useSettled } from '../api/settled.ts';
import { ChoiceField } from '../certificates/choice-field.tsx';
import { CERTIFICATES, listPath } from '../certificates/choices.ts';
import { Domains } from '../certificates/domains.tsx';
import { daysUntil, expiryKind, expiryText, soonestFirst } from '../certificates/expiry.ts';
import { href, query, setQuery } from '../router.ts';

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

/** Certificates after which the user reads further, and up to which they are sorted by their end. */
const PAGE = 100;
/** The same for a selection, whose first ends matter more. */
const SELECTED = 1_000;

export default function Certificates() {
  const text = query.value.get('q') ?? '';
  const show = query.value.get('show') ?? '';
  const q = useSettled(text);
  // The end is one moment for all pages of a list.
  const path = useMemo(() => listPath('/tls_certificates', CERTIFICATES, show, q, Date.now()), [show, q]);
  const most = show === '' ? PAGE : SELECTED;
  const list = useList<TLSCertificate>(path);
  const isSearching = useFilled(list, most);
  const { rows, error, more, isFetching, refresh } = list;
  const isWhole = more === undefined && !isFetching && rows.length <= most;
  const isChosen = q !== '' || show !== '';
  return (
    <>
      <header class="page-head">
        <h1>Certificates</h1>
        <input
          type="search"
          aria-label="Search certificates"
          placeholder="Search"
          value={text}
          onInput={(event) => setQuery({ q: event.currentTarget.value })}
        />
        <ChoiceField label="Show" name="show" choices={CERTIFICATES} />
        {mayWrite() && (
          <div class="actions">
            <a class="button" href={href(['resources', 'tls_certificate', 'new'])}>
              Upload
            </a>
          </div>
        )}
      </header>
      {error !== null && <Failure error={error} retry={refresh} />}
      {!isSearching && error === null && rows.length === 0 && <Nothing isChosen={isChosen} />}
      {rows.length > 0 && (
        <>
          <p class="remark">
            {isWhole ? 'The soonest end first.' : 'The newest first. '}
            {!isWhole && show === '' && (
              <a href={href(['certificates'], { show: 'soon' })}>Show those that end within 30 days</a>
            )}
          </p>
          <Table
            label="TLS certificates"
            columns={COLUMNS}
            rows={isWhole ? soonestFirst(rows) : rows}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => href(['id', id])}
            more={more}
          />
        </>
      )}
      {isSearching && error === null && <Loading what="the certificates" />}
      <Domains />
    </>
  );
}

function Nothing({ isChosen }: { readonly isChosen: boolean }) {
  if (!isChosen)
    return (
      <Empty
        title="There is no TLS certificate yet."
        command="underpass api tls-certificates create --help"
      />
    );
  return (
    <Empty title="No certificate matches.">
      <button type="button" onClick={() => setQuery({ q: null, show: null })}>
        Show all
      </button>
    </Empty>
  );
}

function Expiry({ not_after }: TLSCertificate) {
  const days = daysUntil(not_after, Date.now());
  return <Status kind={expiryKind(days)}>{expiryText(days)}</Status>;
}

function namesOf({ subject_alternative_names: { dns_names, ips }, subject_common_name, id }: TLSCertificate) {
  return [...dns_names, ...ips].join(', ') || subject_common_name || id;
}
