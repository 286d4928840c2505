/**
 * Explains the decision of the edge about a request that is only described.
 * Invariant: nothing is sent to a backend or a provider, and nothing that a visitor could notice changes.
 */
import { addressText } from '../../core/ip/client-address.ts';
import type { Hostname } from '../../core/names/hostname.ts';
import type { CompiledSite } from '../../edge/compile/compile-site.ts';
import type { EdgeRules } from '../../edge/edge.ts';
import { subjectOf } from '../../edge/listeners/client-certificate.ts';
import { hostOf, redirectOf } from '../../edge/listeners/plain-redirect.ts';
import type { ConnectionFacts } from '../../edge/sites/site.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { Problem } from '../../errors/problem.ts';
import { judgeCertificate } from './client-certificate.ts';
import { OwnNames } from './names.ts';
import type { Question } from './question.ts';
import { parsedHead, readRequest } from './request-head.ts';
import { explainBytes, explainRequest, type SiteContext } from './site-steps.ts';
import { type Judged, passed, type Step, skipped, Trace } from './trace.ts';
import { judgedBy, refused } from './verdicts.ts';

export interface Explanation {
  readonly outcome: 'served' | 'refused' | 'redirected';
  /** Status of the response of the service itself; 0 if the backend decides, or if there is no HTTP response. */
  readonly status: number;
  readonly error: ErrorName | null;
  readonly steps: readonly Step[];
}

const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/** Explains for an account. `nowMs`: since 1970. Rejects with Problem. */
export async function explain(
  question: Question,
  account: string,
  rules: EdgeRules,
  nowMs: number,
): Promise<Explanation> {
  const way = new Way(question, new OwnNames(rules, account), rules, nowMs);
  const status = await way.walk();
  const { ended, steps } = way.trace;
  if (ended === null) return { outcome: 'served', status, error: null, steps };
  const { error } = ended;
  const isRedirect = ended.status >= 300 && ended.status < 400;
  const outcome = ended.outcome === 'refused' ? 'refused' : isRedirect ? 'redirected' : 'served';
  return { outcome, status: ended.status, error, steps };
}

/** The way of one request through the edge. */
class Way {
  readonly trace: Trace;
  readonly #question: Question;
  readonly #names: OwnNames;
  readonly #rules: EdgeRules;
  readonly #nowMs: number;

  constructor(question: Question, names: OwnNames, rules: EdgeRules, nowMs: number) {
    this.trace = new Trace(question.without);
    this.#question = question;
    this.#names = names;
    this.#rules = rules;
    this.#nowMs = nowMs;
  }

  /** Returns the status of a configured response; 0 for none. */
  async walk(): Promise<number> {
    const { scheme, port, hostname } = this.#question.target;
    const { settings } = this.#rules;
    const isHttp = scheme === 'http';
    const at = port ?? (isHttp ? HTTP_PORT : HTTPS_PORT);
    const isDoor = [HTTPS_PORT, settings.publicPort, settings.listen.port].includes(at);
    const isPlain = [HTTP_PORT, settings.plainPort, settings.httpListen?.port].includes(at);
    if (scheme === 'tcp' || this.#names.atPort(at) !== undefined || (!isDoor && !isPlain))
      return this.#tcp(at);
    if (hostname === null) return this.#noName();
    if (isDoor) return isHttp ? this.#plainAtDoor() : this.#secured(hostname);
    return isHttp ? this.#plain() : this.#noListener(at, 'The port is for plain HTTP, not for TLS.');
  }

  async #noListener(port: number, why: string): Promise<number> {
    await this.#listener(() => refusedConnection(why || `Nothing listens at port ${port}.`));
    await this.#unreached(['name', 'backend']);
    return 0;
  }

  async #noName(): Promise<number> {
    await this.#listener(() => passed('The port is the one for TLS of all names.'));
    await this.trace.add('name', '', () =>
      refusedConnection('An IP address is no server name, so the handshake is refused.'),
    );
    await this.#unreached(['tls', 'backend']);
    return 0;
  }

  async #tcp(port: number): Promise<number> {
    const site = this.#names.atPort(port);
    if (site === undefined)
      return this.#noListener(port, `No TCP edge and no tunnel of this account has the port ${port}.`);
    const why = `The port ${port} belongs to ${site.id}, whatever the name is.`;
    await this.trace.add('listener', site.id, () => passed(why));
    return explainBytes(this.#context(site, 'tcp', null));
  }

  async #secured(hostname: Hostname): Promise<number> {
    await this.#listener(() => passed('The port is the one for TLS of all names.'));
    if (this.#rules.services.has(hostname)) return this.#ownService();
    const site = this.#names.lookup(hostname);
    if (site === undefined) {
      const why = `Nothing of this account has the name ${hostname}, so the handshake is refused.`;
      await this.trace.add('name', '', () => refusedConnection(why));
      await this.#unreached(['tls', 'route', 'backend']);
      return 0;
    }
    if (this.#question.target.scheme !== 'https' && site.carries === 'http' && site.edgeType !== '2')
      throw new Problem('explainNeedsHttps', { host: hostname }, { field: '/url' });
    await this.trace.add('name', site.id, () => passed(wordsOf(site, hostname)));
    await this.#tls(site);
    const isHttp = site.carries === 'http';
    const context = this.#context(site, isHttp ? 'https' : 'tls', hostname);
    return isHttp ? this.#http(context, hostname) : explainBytes(context);
  }

  async #ownService(): Promise<number> {
    const why = 'The name is the service itself: its API, or the place for agents or logins.';
    await this.trace.add('name', '', () => ({ outcome: 'answered', error: null, status: 0, why }));
    return 0;
  }

  async #tls({ id, tls }: CompiledSite): Promise<void> {
    const { certificates } = this.#question;
    if (tls === null) {
      await this.trace.add('tls', id, () => passed('TLS passes through to the backend, which ends it.'));
      return;
    }
    const { minVersion, clientAuthorities } = tls;
    const version = `TLS ends at the edge. The client needs ${minVersion} or later, which is not known here.`;
    await this.trace.add('tls', id, () => skipped(version));
    if (clientAuthorities !== null)
      await this.trace.addModule('mutual_tls', id, () =>
        judgeCertificate(clientAuthorities, certificates, this.#nowMs),
      );
    else if (certificates.length > 0)
      await this.trace.add('mutual_tls', id, () => skipped('The edge requests no client certificate.'));
  }

  async #http(context: SiteContext, hostname: Hostname): Promise<number> {
    const read = readRequest(this.#question, hostname, context.facts.tls !== null, this.#rules);
    if (typeof read === 'string') {
      await this.trace.add('request', '', () => refused(read, 'The edge does not accept the request.', true));
      await this.#unreached(['route', 'backend']);
      return 0;
    }
    return explainRequest(context, read);
  }

  async #plainAtDoor(): Promise<number> {
    const why = 'The port is for TLS, and the URL is one of plain HTTP.';
    await this.#listener(() => refused('plainHttpOnTlsPort', why, true));
    await this.#unreached(['name', 'backend']);
    return 0;
  }

  /** The Host header alone has the name, because there is no TLS. */
  async #plain(): Promise<number> {
    const { settings, services, limits } = this.#rules;
    if (settings.httpListen === null)
      return this.#noListener(HTTP_PORT, 'The service has no port for plain HTTP.');
    await this.#listener(() => passed('The port is the one for plain HTTP.'));
    const head = parsedHead(this.#question, null, limits);
    if (typeof head === 'string') {
      await this.trace.add('request', '', () => refused(head, 'The edge does not accept the request.', true));
      await this.#unreached(['name', 'backend']);
      return 0;
    }
    const hostname = hostOf(head);
    if (hostname !== null && services.get(hostname)?.plain !== undefined) {
      const why = 'The API is refused over plain HTTP, because keys would be readable on the way.';
      await this.trace.add('name', '', () => refused('plainHttpForApi', why, true));
      return 0;
    }
    const site = hostname === null ? undefined : this.#names.lookupPlain(hostname);
    if (hostname === null || site === undefined) {
      const isKnown = (name: Hostname) =>
        services.has(name) || (this.#names.lookup(name)?.account ?? '') !== '';
      const answer = redirectOf(head, { isKnown, publicPort: settings.publicPort });
      const why = 'error' in answer ? whyNot(hostname, answer.error) : REDIRECTED;
      await this.trace.add('name', '', () =>
        'error' in answer ? refused(answer.error, why, true) : judgedBy({ verdict: answer, why }, true),
      );
      return 0;
    }
    await this.trace.add('name', site.id, () => passed(wordsOf(site, hostname)));
    return this.#http(this.#context(site, 'http', hostname), hostname);
  }

  #listener(judge: () => Judged): Promise<void> {
    return this.trace.add('listener', '', judge);
  }

  /** Names the steps that follow, of which nothing is known. */
  async #unreached(steps: readonly string[]): Promise<void> {
    for (const step of steps) await this.trace.add(step, '', () => passed(''));
  }

  #context(site: CompiledSite, proto: SiteContext['proto'], hostname: Hostname | null): SiteContext {
    const facts = this.#factsOf(site, hostname);
    return { trace: this.trace, rules: this.#rules, site, facts, proto, hostname };
  }

  #factsOf({ tls }: CompiledSite, serverName: Hostname | null): ConnectionFacts {
    const { clientIp, certificates } = this.#question;
    const [leaf] = certificates;
    const isShown = tls !== null && tls.clientAuthorities !== null && leaf !== undefined;
    return {
      clientAddr: addressText(clientIp, 0),
      serverAddr: addressText('0.0.0.0', 0),
      serverName,
      startedAt: new Date(this.#nowMs),
      ja4: '',
      tls: tls && { version: '', cipher: '', clientCertificate: isShown ? subjectOf(leaf) : null },
    };
  }
}

const REDIRECTED = 'The name is served over TLS only, so plain HTTP is redirected.';

function whyNot(hostname: Hostname | null, error: ErrorName): string {
  if (hostname === null) return 'The Host header has no name.';
  if (error === 'nothingOnline') return `Nothing of this account has the name ${hostname}.`;
  return 'The edge does not accept the request.';
}

function refusedConnection(why: string): Judged {
  return { outcome: 'refused', error: null, status: 0, why };
}

function wordsOf({ id, account }: CompiledSite, hostname: Hostname): string {
  if (account === '') return `Nothing of this account has the name ${hostname}.`;
  if (id === hostname) return `The name ${hostname} is held for an agent, and none serves it.`;
  if (id.startsWith('rd_'))
    return `The name ${hostname} is reserved by ${id}, and no edge or agent serves it.`;
  return `The name ${hostname} leads to ${id}.`;
}
