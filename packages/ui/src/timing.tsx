/** Bars from the request's header to the end of the response. */
import { duration } from './format.ts';

/** Milliseconds since the request's header; null while they are not known. */
export interface Timing {
  readonly sentMs: number | null;
  readonly answeredMs: number | null;
  readonly endedMs: number | null;
}

export function TimingBars({ timing: { sentMs, answeredMs, endedMs } }: { timing: Timing }) {
  const whole = Math.max(endedMs ?? answeredMs ?? sentMs ?? 0, 0.001);
  const sent = Math.min(sentMs ?? 0, answeredMs ?? Number.POSITIVE_INFINITY);
  const parts: [string, number, number | null][] = [
    ['sending', 0, sentMs],
    ['waiting', sent, answeredMs],
    ['receiving', answeredMs ?? whole, answeredMs === null ? null : endedMs],
  ];
  return (
    <table class="timing" aria-label="Timing">
      <tbody>
        {parts.map(([name, from, to]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="track">
              <span
                class={`bar ${name}`}
                style={{
                  marginLeft: `${Math.min((from / whole) * 100, 99.5)}%`,
                  width: `${(Math.max(0, (to ?? from) - from) / whole) * 100}%`,
                }}
              />
            </td>
            <td>{to === null ? '—' : duration(Math.max(0, to - from))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
