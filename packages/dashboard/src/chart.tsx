/** A chart over time. Its library is loaded with the first chart. A table has the same values for screen readers. */
import { useSignal } from '@preact/signals';
import { Loading } from '@underpass/ui/states.tsx';
import { useEffect, useRef } from 'preact/hooks';
import type { ChartParts } from './chart-parts.ts';

type Drawn = { update(parts: ChartParts): void; destroy(): void };

export function Chart(parts: ChartParts) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn | null>(null);
  const isReady = useSignal(false);
  const latest = useRef(parts);
  latest.current = parts;
  useEffect(() => {
    let isGone = false;
    const load = async () => {
      const { draw } = await import('./chart-drawing.ts');
      if (isGone || place.current === null) return;
      drawn.current = draw(place.current, latest.current);
      isReady.value = true;
    };
    void load();
    return () => {
      isGone = true;
      drawn.current?.destroy();
    };
  }, []);
  useEffect(() => drawn.current?.update(parts), [parts.times, parts.series]);
  return (
    <figure class="chart" aria-label={parts.label}>
      {!isReady.value && <Loading what={parts.label} />}
      <div ref={place} aria-hidden="true" />
      <figcaption class="unseen">{summaryOf(parts)}</figcaption>
    </figure>
  );
}

/** The last value and the largest one of each series in words. */
function summaryOf({ label, series, format = String }: ChartParts): string {
  const texts = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    const last = known.at(-1);
    if (last === undefined) return `${name}: no values`;
    return `${name}: now ${format(last)}, at most ${format(Math.max(...known))}`;
  });
  return `${label}. ${texts.join('. ')}`;
}
