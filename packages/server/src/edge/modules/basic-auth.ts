/**
 * The basic authentication module (RFC 7617): visitors log in with a name and a password of the agent's list.
 * Invariant: no visitor is served without a comparison of its password, and guesses of one source are slowed down.
 */
import { compareBcrypt } from '../../access/bcrypt.ts';
import { digestOf, isLogin } from '../../access/passwords.ts';
import { ipOf, sourceKey } from '../../core/ip/client-address.ts';
import { LruMap } from '../../core/limits/lru.ts';
import { partOf } from '../../core/limits/shared-rate.ts';
import { TokenBuckets } from '../../core/limits/token-buckets.ts';
import type { BasicAuthModule } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { AgentBasicAuth } from '../../online/agent-modules.ts';
import type { Preview, Reply, RequestFacts, Verdict, Visitor } from '../sites/site.ts';
import type { EdgeModule } from './module.ts';

/** Wrong passwords of one source. */
const rate = { burst: 20, perSecond: 0.2 };
const retrySeconds = 5;
/** Successful logins that are remembered by source, so that their password is not compared again. */
const mostRemembered = 1000;
const maxHeader = 2048;

const rightWords = 'The name and the password are right.';
const wrongWords = 'The name or the password is wrong.';
const busyWords = 'Too many passwords are being compared at the moment.';

/** A decision without a comparison. */
interface Settled {
  readonly kind: 'settled';
  readonly verdict: Verdict;
  readonly why: string;
}

function settled(verdict: Verdict, why: string): Settled {
  return { kind: 'settled', verdict, why };
}

/** A password that is not known to be right. */
interface Comparison {
  readonly kind: 'comparison';
  /** The key of the visitor's address. */
  readonly source: string;
  readonly digest: string;
  /** Null: it cannot be decided at the moment. `turn`: the owner of the comparison's turn. */
  readonly compare: (turn: string) => boolean | Promise<boolean | null>;
}

interface Attempt {
  readonly user: string;
  readonly password: string;
}

export function basicAuthModule(now: () => number): EdgeModule<BasicAuthModule | AgentBasicAuth> {
  return {
    compile(config, { before, account }) {
      if (before !== undefined) return before;
      const gate = new Gate(config, now, account);
      return {
        guards: [
          {
            name: 'basic_auth',
            reads: 'request',
            check: (request) => gate.check(request),
            visitorOf: (request) => gate.visitorOf(request),
            preview: (request) => gate.preview(request),
          },
        ],
      };
    },
  };
}

export const basicAuth = basicAuthModule(() => performance.now());

class Gate {
  readonly #config: Partial<AgentBasicAuth & BasicAuthModule>;
  readonly #now: () => number;
  /** Owner of previews, whose comparisons wait apart from those of visitors. */
  readonly #account: string;
  readonly #failures = new TokenBuckets(() => partOf(rate));
  /** Wrong passwords of previews. */
  readonly #previews = new TokenBuckets(() => partOf(rate));
  readonly #right = new LruMap<string, true>(mostRemembered);
  /** Comparisons in progress, because browsers send several requests at once. */
  readonly #comparing = new Map<string, Promise<boolean | null>>();

  constructor(config: BasicAuthModule | AgentBasicAuth, now: () => number, account: string) {
    this.#config = config;
    this.#now = now;
    this.#account = account;
  }

  /** Returns true if the request needs no login. */
  #isPassed({ method }: RequestFacts): boolean {
    return this.#config.allow_options === true && method === 'OPTIONS';
  }

  /** Returns refused visitors, too, so that guesses are recorded. */
  visitorOf(request: RequestFacts): Visitor {
    const attempt = this.#isPassed(request) ? null : attemptOf(request);
    return { id: attempt?.user ?? '', name: '', clientId: '' };
  }

  check(request: RequestFacts): Verdict | Promise<Verdict> {
    const first = this.#first(request);
    if (first.kind === 'settled') return first.verdict;
    const { source, digest } = first;
    const running = this.#comparing.get(digest);
    if (running !== undefined) return running.then((outcome) => this.#verdict(outcome));
    if (!this.#failures.has(source, this.#now())) return tooMany;
    // Counted before it is known to be wrong, or many could be tried at once.
    this.#failures.take(source, this.#now());
    const outcome = first.compare(source);
    if (typeof outcome === 'boolean') return this.#noted(outcome, source, digest);
    const compared = outcome.finally(() => this.#comparing.delete(digest));
    this.#comparing.set(digest, compared);
    return compared.then((later) => this.#noted(later, source, digest));
  }

  /** Compares a password at a rate of its own, so that callers of the API neither guess nor lock visitors out. */
  async preview(request: RequestFacts): Promise<Preview> {
    const first = this.#first(request);
    if (first.kind === 'settled') return first;
    if (!this.#failures.has(first.source, this.#now()))
      return { verdict: tooMany, why: 'Too many wrong passwords came from the address.' };
    const key = `preview ${this.#account}`;
    if (!this.#previews.has(key, this.#now()))
      throw new Problem('explainLoginsBusy', { seconds: retrySeconds }, {}, retrySeconds);
    this.#previews.take(key, this.#now());
    const outcome = await first.compare(key);
    if (outcome !== false) this.#previews.release(key, this.#now());
    const verdict = this.#verdict(outcome);
    return { verdict, why: verdict === null ? rightWords : outcome === null ? busyWords : wrongWords };
  }

  /** Decides what needs no comparison, without an effect. */
  #first(request: RequestFacts): Settled | Comparison {
    const { logins } = this.#config;
    if (this.#isPassed(request)) return settled(null, 'OPTIONS needs no login here.');
    if (logins === undefined)
      return settled('basicAuthWithoutLogins', 'The module has no logins, so no visitor is admitted.');
    const attempt = attemptOf(request);
    if (attempt === null) {
      const why = 'The request has no name and password.';
      return settled(this.#challenge(why), `${why} The visitor is prompted for them.`);
    }
    const source = sourceKey(ipOf(request.connection.clientAddr));
    const digest = digestOf(source, attempt.user, attempt.password);
    if (this.#right.get(digest) === true) return settled(null, rightWords);
    const compare = (turn: string) =>
      isLogin(logins, attempt.user, attempt.password, (password, hash) =>
        compareBcrypt(password, hash, turn),
      );
    return { kind: 'comparison', source, digest, compare };
  }

  #noted(outcome: boolean | null, source: string, digest: string): Verdict {
    if (outcome !== false) this.#failures.release(source, this.#now());
    if (outcome === true) this.#right.set(digest, true);
    return this.#verdict(outcome);
  }

  #verdict(outcome: boolean | null): Verdict {
    if (outcome === null) return 'basicAuthBusy';
    return outcome ? null : this.#challenge(wrongWords);
  }

  #challenge(reason: string): Reply {
    const realm = (this.#config.realm || 'Underpass').replace(/["\\]/g, '\\$&');
    const challenge = refusal(401, 'Log in with a name and a password.\n', [
      ['www-authenticate', `Basic realm="${realm}", charset="UTF-8"`],
    ]);
    return { ...challenge, reason };
  }
}

const tooMany = refusal(
  429,
  'Too many wrong passwords came from your address. Try again in some seconds.\n',
  [['retry-after', String(retrySeconds)]],
);

function refusal(status: number, text: string, headers: Reply['headers']): Reply {
  const common = [
    ['content-type', 'text/plain; charset=utf-8'],
    ['cache-control', 'no-store'],
  ] as const;
  return { kind: 'reply', status, headers: [...headers, ...common], body: Buffer.from(text) };
}

/** Null: the request has none, or none that can be read. */
function attemptOf(request: RequestFacts): Attempt | null {
  const [value = '', ...more] = request.values('authorization');
  if (more.length > 0 || value.length > maxHeader) return null;
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(value.trim())?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon === -1 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
