/** The managed certificates of domains as cards, page by page. The failed ones come first if all fit on a page. */
import { useSignal } from '@preact/signals';
import type { ReservedDomain } from '@underpass/client';
import { Failure, Loading } from '@underpass/ui/states.tsx';
import { useMemo } from 'preact/hooks';
import { useFilled } from '../api/filled.ts';
import { useList } from '../api/list.ts';
import { query } from '../router.ts';
import { ChoiceField } from './choice-field.tsx';
import { DOMAINS, listPath } from './choices.ts';
import { Order } from './order.tsx';

/** Domains after which the user reads further, and up to which the failed ones come first. */
const PAGE = 100;
/** Cards that each step draws. */
const CARDS = 20;

export function Domains() {
  const show = query.value.get('domains') ?? '';
  const path = useMemo(() => listPath('/reserved_domains', DOMAINS, show, '', Date.now()), [show]);
  const list = useList<ReservedDomain>(path);
  const drawn = useSignal(CARDS);
  const isSearching = useFilled(list, PAGE);
  const { rows, error, more, isFetching, refresh } = list;
  if (rows.length === 0 && show === '' && error === null) return null;
  const isWhole = more === undefined && !isFetching && rows.length <= PAGE;
  const shown = isWhole ? [...rows].sort(failedFirst) : rows;
  return (
    <section class="related" aria-label="Domains">
      <header class="page-head">
        <h2>Domains</h2>
        <ChoiceField label="Show domains" name="domains" choices={DOMAINS} />
      </header>
      {error !== null && <Failure error={error} retry={refresh} />}
      {!isWhole && !isSearching && (
        <p class="remark">The newest first. Select "Failed" to see all that need attention.</p>
      )}
      <div class="cards">
        {shown.slice(0, drawn.value).map((domain) => (
          <Order key={domain.id} domain={domain} />
        ))}
      </div>
      {isSearching && error === null && <Loading what="the domains" />}
      {!isSearching && error === null && rows.length === 0 && <p class="remark">No domain is like this.</p>}
      {!isSearching && (more !== undefined || rows.length > drawn.value) && (
        <button
          type="button"
          onClick={() => {
            drawn.value += CARDS;
            if (rows.length < drawn.value) more?.();
          }}
        >
          Show more domains
        </button>
      )}
    </section>
  );
}

function failedFirst(a: ReservedDomain, b: ReservedDomain): number {
  const weight = (one: ReservedDomain) =>
    one.certificate_management_status?.provisioning_job?.error_code == null ? 1 : 0;
  return weight(a) - weight(b);
}
