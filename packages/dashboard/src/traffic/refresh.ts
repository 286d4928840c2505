/** Reads data again at intervals while its page is visible. */
import { useEffect, useRef } from 'preact/hooks';

/** Calls `refresh` every `ms` milliseconds, unless the page is hidden or `isOn` is false. */
export function useRefresh(refresh: () => void, ms: number, isOn = true): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, ms);
    return () => clearInterval(timer);
  }, [ms, isOn]);
}
