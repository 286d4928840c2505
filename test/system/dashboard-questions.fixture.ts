/** An account with 10,000 resources under 200 requests a second, and a user of the console with a keyboard alone. */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:https';
import type { Page } from 'playwright-core';
import { eventually, type Platform } from '../harness/index.ts';

export const RESOURCES = 10_000;
export const DOMAIN = 'underpass.localhost';

const WRITERS = 24;
const VISITS_PER_SECOND = 200;
const VISITS_PER_TURN = 10;

/** Reserves domains until the account has 10,000. Returns the seconds that it took. */
export async function reserveDomains(platform: Platform): Promise<number> {
  const { api_key, base_url } = platform.bootstrap;
  const url = new URL('/reserved_domains', base_url);
  const headers = {
    authorization: `Bearer ${api_key}`,
    'service-version': '2',
    'content-type': 'application/json',
  };
  const began = performance.now();
  const writer = async (first: number) => {
    for (let at = first; at < RESOURCES; at += WRITERS) {
      const body = JSON.stringify({ domain: `n${String(at).padStart(5, '0')}.${DOMAIN}` });
      const { status, text } = await platform.client.unchecked(url, { method: 'POST', headers, body });
      assert.equal(status, 201, text);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, at) => writer(at)));
  return (performance.now() - began) / 1000;
}

/** Visits the hosts in turn, 200 times a second, until `stop`. */
export function visitSteadily(platform: Platform, hosts: readonly string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: VISITS_PER_TURN });
  const { ca, port } = platform;
  const counts = new Map<number, number>();
  let at = 0;
  const visit = () => {
    const host = hosts[at++ % hosts.length] ?? '';
    const sent = request({
      ...{ host: '127.0.0.1', servername: host, port, ca, agent },
      ...{ path: `/orders/${at % 50}`, headers: { host: `${host}:${port}` } },
    });
    sent.on('response', (response) => {
      const { statusCode = 0 } = response;
      counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1);
      response.resume();
    });
    sent.on('error', () => counts.set(0, (counts.get(0) ?? 0) + 1));
    sent.end();
  };
  const timer = setInterval(
    () => {
      for (let n = 0; n < VISITS_PER_TURN; n++) visit();
    },
    (1000 * VISITS_PER_TURN) / VISITS_PER_SECOND,
  );
  return {
    /** Responses by their status; 0: none. */
    counts: counts as ReadonlyMap<number, number>,
    stop: () => {
      clearInterval(timer);
      agent.destroy();
    },
  };
}

/** Keys that open, choose or switch something. */
const ACTIVATING = new Set(['Enter', 'Space']);
const TABS_MAX = 60;

/** A user without a mouse. Counts activations. */
export class KeyboardUser {
  activations = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async press(key: string): Promise<void> {
    if (ACTIVATING.has(key)) this.activations++;
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Opens the palette, types, and chooses the first target, which has this title. */
  async goTo(title: string): Promise<void> {
    await this.press('Control+k');
    const palette = this.page.getByRole('dialog', { name: 'Go to' });
    await palette.getByRole('searchbox').and(this.page.locator(':focus')).waitFor();
    await this.type(title);
    await palette.locator('a[aria-current=true]').filter({ hasText: title }).waitFor();
    await this.press('Enter');
    await this.page.getByRole('heading', { level: 1, name: title }).waitFor();
  }

  /** Types into the search of the page. */
  async search(text: string): Promise<void> {
    await this.press('/');
    await this.page.locator('main input[type=search]:focus').waitFor();
    await this.type(text);
  }

  /** Moves the focus to the first row that is left, and opens it. */
  async openFirstRow(text: RegExp): Promise<void> {
    await this.press('Escape');
    await this.page.locator('main').getByRole('row', { name: text }).first().waitFor();
    await eventually(async () => {
      await this.press('j');
      assert.match(await this.focusedRow(), text);
    });
    await this.press('Enter');
  }

  /** Presses the key until an element with the name has the focus. */
  async tabTo(name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    for (let presses = 0; presses < TABS_MAX; presses++) {
      await this.press(key);
      if (name.test(await this.page.evaluate<string>(FOCUSED_NAME))) return;
    }
    assert.fail(`the Tab key does not reach ${name}`);
  }

  /** Text of the row with the focus; '' without one. */
  async focusedRow(): Promise<string> {
    return await this.page.evaluate<string>(`document.activeElement?.closest('tr')?.innerText ?? ''`);
  }
}

const FOCUSED_NAME = `(() => {
  const element = document.activeElement;
  return element?.getAttribute('aria-label') ?? element?.innerText ?? '';
})()`;

/** Work of the page while live data arrives. */
export interface Work {
  /** Share of a core of the main thread, 0 to 1. */
  readonly share: number;
  /** Drawings that changed the document. */
  readonly drawingsPerSecond: number;
}

/** Measures the work of the page for some seconds. */
export async function measureWork(page: Page, seconds: number): Promise<Work> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  const read = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0;
    return { at: of('Timestamp'), busy: of('TaskDuration') };
  };
  const before = await read();
  const drawings = await page.evaluate<number>(`new Promise((done) => {
    let count = 0;
    const observer = new MutationObserver(() => count++);
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    setTimeout(() => { observer.disconnect(); done(count); }, ${seconds * 1000});
  })`);
  const after = await read();
  await cdp.detach();
  const elapsed = after.at - before.at;
  return { share: (after.busy - before.busy) / elapsed, drawingsPerSecond: drawings / elapsed };
}
