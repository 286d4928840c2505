/**
 * The name at which the console is: `--console-host`, or every name of the API.
 * Invariant: with a name of its own, the cookie of the console counts at that name only.
 */
import { isFault, parseHostname } from '../core/names/hostname.ts';
import { consoleUrl } from '../core/service-names.ts';
import type { Settings } from '../core/settings.ts';
import { Problem } from '../errors/problem.ts';
import type { Headers, Peer, Request } from '../http-server/request.ts';
import type { Answer } from './answer.ts';
import { checkWellFormed } from './checks.ts';
import { asksForPage } from './content.ts';
import { DOCS_PAGE } from './public-documents.ts';
import type { RequestRecord } from './request-record.ts';
import { isSameOrigin } from './same-origin.ts';

const ROOT = '/ui';

export type ConsoleSettings = Pick<Settings, 'consoleHost' | 'baseUrl' | 'publicPort'>;

export class ConsolePlace {
  readonly #settings: ConsoleSettings;

  constructor(settings: ConsoleSettings) {
    this.#settings = settings;
  }

  /** The host of the console, if it is not that of the API. */
  get host(): Settings['consoleHost'] {
    return this.#settings.consoleHost;
  }

  /** Returns true if the console is at the name of a connection. */
  isAt({ servername }: Pick<Peer, 'servername'>): boolean {
    const { host } = this;
    if (host === null) return true;
    const name = parseHostname(servername ?? '');
    return !isFault(name) && name === host;
  }

  /** Returns true if a request comes from a page of the console. */
  isOwnPage(headers: Headers): boolean {
    return isSameOrigin(headers, this.host);
  }

  /** Redirects a browser that opens a page at the wrong one of two names. Null: the request is at its place. Raises Problem. */
  elsewhere(request: Request, record: RequestRecord): Answer | null {
    if (this.host === null) return null;
    const { pathname } = record;
    if (this.isAt(request.peer)) return pathname === DOCS_PAGE ? this.#toApi(request) : null;
    if (pathname !== ROOT && !pathname.startsWith(`${ROOT}/`)) return null;
    record.isOfConsole = true;
    checkWellFormed(request);
    const url = consoleUrl(this.#settings);
    if (!opensPage(request)) throw new Problem('consoleElsewhere', { url: `${url}${ROOT}/` });
    const query = record.query === '' ? '' : `?${record.query}`;
    return redirect(`${url}${pathname}${query}`);
  }

  #toApi(request: Request): Answer | null {
    if (!opensPage(request)) return null;
    checkWellFormed(request);
    return redirect(`${this.#settings.baseUrl}${DOCS_PAGE}`);
  }
}

function opensPage({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean {
  return (method === 'GET' || method === 'HEAD') && asksForPage(headers.get('accept'));
}

function redirect(location: string): Answer {
  return {
    status: 302,
    headers: [
      ['location', location],
      ['vary', 'accept'],
    ],
    body: null,
  };
}
