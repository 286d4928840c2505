/** A browser as the modules of logins see one: it keeps cookies, and sends what browsers send. */
import assert from 'node:assert/strict';
import { testConnection } from '../../sites/connection-facts.fixture.ts';
import type { Fields, Reply, RequestFacts, RequestVerdict } from '../../sites/site.ts';

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly host?: string;
  readonly isPlain?: true;
}

const page = { 'sec-fetch-mode': 'navigate', accept: 'text/html,*/*' };

export class Browser {
  readonly cookies = new Map<string, string>();

  request(target: string, { method = 'GET', headers = page, host, isPlain }: Sent = {}): RequestFacts {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const fields = new Map(Object.entries({ host: host ?? 'app.example.com', ...headers }));
    if (cookie !== '') fields.set('cookie', [cookie, fields.get('cookie') ?? []].flat().join('; '));
    return {
      connection: testConnection({
        tls: isPlain ? null : { version: 'TLSv1.3', cipher: '', clientCertificate: null },
      }),
      method,
      target,
      values: (name) => [fields.get(name) ?? []].flat(),
      decisions: new Map(),
      admittedBy: () => null,
    };
  }

  /** Keeps the cookies of an answer. */
  keep(fields: Fields): void {
    for (const [name, value] of fields) {
      if (name !== 'set-cookie') continue;
      const [, cookie = '', content = '', seconds] = /^([^=]+)=([^;]*); .*Max-Age=(\d+)/.exec(value) ?? [];
      if (seconds === '0') this.cookies.delete(cookie);
      else this.cookies.set(cookie, content);
    }
  }

  /** The answer that a verdict is, with its cookies kept. */
  answered(verdict: RequestVerdict): Reply {
    assert.ok(typeof verdict === 'object' && verdict?.kind === 'reply', JSON.stringify(verdict));
    this.keep(verdict.headers);
    return verdict;
  }

  /** Returns the URL to which a response sends the browser. */
  sentTo(verdict: RequestVerdict): URL {
    const { status, headers } = this.answered(verdict);
    assert.equal(status, 302);
    return new URL(headers.find(([name]) => name === 'location')![1]);
  }
}

export function refusalOf(verdict: RequestVerdict): string {
  assert.ok(typeof verdict === 'object' && verdict?.kind === 'refusal', JSON.stringify(verdict));
  return verdict.error;
}
