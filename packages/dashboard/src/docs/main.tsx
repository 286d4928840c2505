/** Starts the page of the API: the reference, and a form to try each operation. */
import type { OpenApi } from '@underpass/ui/form/openapi.ts';
import { Reference } from '@underpass/ui/form/reference.ts';
import { render } from 'preact';
import { DocsPage } from './page.tsx';

async function load(): Promise<Reference> {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(`/openapi.json was answered with ${response.status}`);
  return new Reference((await response.json()) as OpenApi);
}

/** Opens the operation or the section that the address names. */
function followAddress(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
}

try {
  render(<DocsPage reference={await load()} />, document.body);
  addEventListener('hashchange', followAddress);
  followAddress();
} catch (error) {
  render(<p class="bad">The reference could not be loaded: {String(error)}</p>, document.body);
}
document.body.dataset.ready = '';
