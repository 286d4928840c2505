/** Announces changes to screen readers without moving the focus. */
import { signal } from '@preact/signals';

const text = signal('');

/** Announces once the reader has finished its sentence. */
export function announce(message: string): void {
  text.value = message;
}

/** The live region; a page has one. */
export function Announcements() {
  return (
    <p class="unseen" role="status">
      {text.value}
    </p>
  );
}
