/** The line above a live list: it follows, or it is paused and a number of rows wait. */
import type { LiveList } from './live.ts';

export function LiveBar({
  list,
}: {
  list: Pick<LiveList<unknown>, 'waiting' | 'hasGap' | 'isPaused' | 'pause' | 'resume'>;
}) {
  const count = list.waiting.value;
  if (!list.isPaused.value)
    return (
      <p class="live-bar">
        <span class="status s2">● following</span>
        <button type="button" onClick={list.pause}>
          Pause
        </button>
      </p>
    );
  return (
    <p class="live-bar">
      <span class="status s4">❚❚ paused</span>
      <button type="button" class="primary" onClick={list.resume}>
        {count === 0 ? 'Follow' : `${count}${list.hasGap.value ? '+' : ''} new: show`}
      </button>
    </p>
  );
}
