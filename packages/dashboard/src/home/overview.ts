/**
 * The overview of the account, from a stream of its own.
 * Invariant: while the stream is open, no request is sent. Without it the overview is requested at intervals.
 */
import { useSignal } from '@preact/signals';
import type { AccountOverview } from '@underpass/client';
import { useEffect } from 'preact/hooks';
import { useGet } from '../api/cache.ts';
import type { ApiError } from '../api/http.ts';
import { keepOpen } from '../api/stream.ts';
import { useRefresh } from '../traffic/refresh.ts';

/** Milliseconds between two requests without the stream. */
const READ_MS = 2_000;
/** Milliseconds until the first overview, before it is requested. */
const FIRST_MS = 5_000;

export interface OverviewState {
  /** Undefined until the first one. */
  readonly overview: AccountOverview | undefined;
  readonly error: ApiError | null;
  readonly refresh: () => void;
}

export function useOverview(): OverviewState {
  /** True while the stream reports nothing. */
  const isAway = useSignal(false);
  const streamed = useSignal<AccountOverview | undefined>(undefined);
  useEffect(() => {
    const gone = new AbortController();
    void keepOpen('/stream?topics=overview', gone.signal, {
      became: (now) => {
        if (now !== 'connecting') isAway.value = now !== 'live';
      },
      receive: ({ event, data }) => {
        if (event !== 'overview') return;
        streamed.value = data as AccountOverview;
        isAway.value = false;
      },
    });
    // The request then shows the reason.
    const late = setTimeout(() => {
      if (streamed.value === undefined) isAway.value = true;
    }, FIRST_MS);
    return () => {
      clearTimeout(late);
      gone.abort();
    };
  }, []);
  const entry = useGet<AccountOverview>(isAway.value ? '/overview' : null);
  useRefresh(() => void entry.refresh(), READ_MS, isAway.value);
  const refresh = () => {
    if (isAway.value) void entry.refresh();
  };
  if (isAway.value && (entry.data.value !== undefined || entry.error.value !== null))
    return { overview: entry.data.value ?? streamed.value, error: entry.error.value, refresh };
  return { overview: streamed.value, error: null, refresh };
}
