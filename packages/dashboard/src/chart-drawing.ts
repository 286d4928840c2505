/** Draws charts with uPlot, in the colours of the theme. */
import uPlot from 'uplot';
import { momentText } from './chart-moments.ts';
import type { ChartParts } from './chart-parts.ts';

const HEIGHT = 160;

/** Draws into `place` until `destroy` is called. It follows the width of the place and the theme. */
export function draw(place: HTMLElement, first: ChartParts) {
  let parts = first;
  let plot = make(place, parts);
  const again = () => {
    plot.destroy();
    plot = make(place, parts);
  };
  const sizes = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: heightOf(parts) }));
  sizes.observe(place);
  const themes = new MutationObserver(again);
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', again);
  return {
    update(next: ChartParts) {
      const isSame = next.series.length === parts.series.length;
      parts = next;
      if (isSame) plot.setData(dataOf(parts));
      else again();
    },
    destroy() {
      sizes.disconnect();
      themes.disconnect();
      dark.removeEventListener('change', again);
      plot.destroy();
    },
  };
}

function make(place: HTMLElement, parts: ChartParts): uPlot {
  const { series, format = String, select } = parts;
  const axis = {
    stroke: colour('quiet'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  };
  const options: uPlot.Options = {
    ...{ width: place.clientWidth || 300, height: heightOf(parts) },
    legend: { show: false },
    cursor: { drag: { x: select !== undefined, y: false, setScale: false } },
    scales: { y: { range: (_, __, max) => [0, Math.max(max * 1.1, 1e-6)] } },
    axes: [
      { ...axis, values: (_, moments, __, ___, step) => moments.map((at) => momentText(at, step)) },
      { ...axis, size: 56, values: (_, values) => values.map((value) => format(value)) },
    ],
    series: [{}, ...series.map((one) => lineOf(one))],
    hooks: {
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width > 0) select?.(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'));
        },
      ],
    },
  };
  return new uPlot(options, dataOf(parts), place);
}

function lineOf({ name, colour: wanted = 'accent' }: ChartParts['series'][number]): uPlot.Series {
  return { label: name, stroke: colour(wanted), width: 1.5, points: { size: 4 } };
}

function dataOf({ times, series }: ChartParts): uPlot.AlignedData {
  return [[...times], ...series.map(({ values }) => [...values])];
}

function heightOf({ height = HEIGHT }: ChartParts): number {
  return height;
}

/** The colour of the theme in force. A canvas knows no `light-dark()`, so an element resolves it. */
function colour(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
