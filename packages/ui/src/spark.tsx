/** A small line of values without axes. Its label states the values in words. */

interface SparkParts {
  readonly values: readonly number[];
  readonly label: string;
}

const WIDTH = 100;
const HEIGHT = 24;

export function Spark({ values, label }: SparkParts) {
  const most = Math.max(1e-9, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map(
    (value, at) => `${(at * step).toFixed(1)},${(HEIGHT - 1 - (value / most) * (HEIGHT - 2)).toFixed(1)}`,
  );
  return (
    <svg
      class="spark"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}
