/** Copies texts to the clipboard, and reports that to the eye and to screen readers. */
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { attempt } from './attempt.ts';

const SHOWN_MS = 2_000;
const announced = signal('');

/** Announces to screen readers what was copied. */
export function CopyStatus() {
  return (
    <p class="unseen" role="status">
      {announced.value}
    </p>
  );
}

interface CopyParts {
  /** Name of the copied text, as in "Copy URL" or "Copy as curl". */
  readonly what: string;
  readonly text: string | (() => string | Promise<string>);
  /** The visible label. */
  readonly label?: string;
}

export function Copy({ what, text, label = 'Copy' }: CopyParts) {
  /** Counts the copies; 0 if the last one is no longer shown. */
  const copies = useSignal(0);
  useEffect(() => {
    if (copies.value === 0) return;
    const timer = setTimeout(() => {
      copies.value = 0;
      announced.value = '';
    }, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copies.value]);
  const copy = () =>
    attempt(async () => {
      await copyText(typeof text === 'string' ? text : await text());
      copies.value++;
      announced.value = `Copied ${what}`;
    });
  const isCopied = copies.value > 0;
  return (
    <button
      type="button"
      class="copy"
      aria-label={isCopied ? `Copied ${what}` : `Copy ${what}`}
      title={`Copy ${what}`}
      onClick={() => void copy()}
    >
      {isCopied ? 'Copied' : label}
    </button>
  );
}

/** Rejects if the browser refuses. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Missing for pages that did not come over HTTPS or from this machine, or not permitted.
    if (!copyByCommand(text)) throw new Error('The browser refuses to copy. Select the text and copy it.');
  }
}

function copyByCommand(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.className = 'unseen';
  area.value = text;
  // A field would change line ends.
  area.addEventListener('copy', (event) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  });
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
