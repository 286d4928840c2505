/** The half of the daemon that decides: rules, events, the API and logins of visitors. */
import { randomUUID } from 'node:crypto';
import { IpRestrictions } from '../access/ip-restrictions.ts';
import { authenticateApiKey } from '../access/tokens.ts';
import type { ConsoleAccess } from '../api/callers.ts';
import { localLimiter } from '../api/rate-limit.ts';
import { type Api, createApi } from '../api/server.ts';
import type { Vocabularies } from '../api/vocabularies.ts';
import type { RateLimiter } from '../core/limits/rate-limiter.ts';
import { DomainProofs } from '../dns/domain-proofs.ts';
import { DnsResolver } from '../dns/resolver.ts';
import { type Events, prepareEvents } from '../events/events.ts';
import { after } from '../events/resting.ts';
import { DeliveryMarks } from '../events/targets/delivery-marks.ts';
import { LastUses } from '../insight/last-uses.ts';
import { type Login, startLogin } from '../login/login.ts';
import { OauthCallback } from '../login/oauth-callback.ts';
import { ProviderService } from '../login/provider-service.ts';
import type { OnlineFacts } from '../online/online.ts';
import type { Audit } from '../resources/engine/audit.ts';
import type { EngineDependencies } from '../resources/engine/contexts.ts';
import { createAudit, createEngine } from '../resources/engine/engine.ts';
import { openDestination } from '../resources/event-targets/open-destination.ts';
import type { StandaloneRuns, StandaloneStreams } from '../resources/standalone/definition.ts';
import { standaloneOperations } from '../resources/standalone/index.ts';
import { type LoginRefused, SamlEndpoints } from '../saml/endpoints.ts';
import { IdpMetadataRefresh } from '../saml/metadata-refresh.ts';
import { SamlModules } from '../saml/modules.ts';
import { openRateLimiter } from '../store/databases/open.ts';
import { consoleOidc } from './console-oidc.ts';
import { type Foundation, LINGER_MS } from './foundation.ts';
import { JoinFacts } from './join-facts.ts';

/** The parts that decide on sessions of agents, and the events about them. */
export interface Rules {
  readonly restrictions: IpRestrictions;
  readonly events: Events;
  /** Marks of the daemon's own deliveries. */
  readonly marks: DeliveryMarks;
  /** Last uses of keys and credentials. */
  readonly uses: LastUses;
}

export async function startRules(foundation: Foundation): Promise<Rules> {
  const { config, store, log, sealer, metrics, isShared, parts } = foundation;
  const { settings } = config;
  const restrictions = await parts.start({
    start: () => IpRestrictions.start({ store, log }),
    stop: (it) => it.stop(),
  });
  const marks = new DeliveryMarks({ sealer, domain: settings.domain, now: Date.now });
  const events = await parts.start({
    start: () =>
      prepareEvents({
        ...{ store, log, isShared, ...metrics.events },
        open: (destination) => openDestination(destination, sealer, settings, marks),
      }),
    stop: (it) => it.stop(),
  });
  const uses = await parts.start({
    start: () => {
      const started = new LastUses({ store, now: Date.now, after, log });
      started.start();
      return started;
    },
    stop: (it) => it.stop(),
  });
  return { restrictions, events, marks, uses };
}

export interface Deciding {
  readonly api: Api;
  /** The limit of requests per account. */
  readonly limiter: RateLimiter;
  readonly joining: JoinFacts;
  readonly audit: Audit;
  readonly lookup: DnsResolver;
  readonly login: Login;
  /** Serves what identity providers send visitors back to. */
  readonly providers: ProviderService;
}

export interface DecidingNeeds extends Rules {
  readonly vocabularies: Vocabularies;
  readonly online: OnlineFacts;
  readonly loginRefused: LoginRefused;
  /** Returns the number of other daemons that cannot be reached at the moment. */
  readonly unreachable: () => number;
  /** The function of `HandlerDeps`. */
  readonly late: () => number | Promise<number>;
  readonly console: ConsoleAccess;
  /** Parts that run operations of no kind. */
  readonly runs: StandaloneRuns;
  /** Streams of events. */
  readonly streams: StandaloneStreams;
  /** Ends all streams of events. */
  readonly endStreams: () => void;
}

export async function startDeciding(foundation: Foundation, needs: DecidingNeeds): Promise<Deciding> {
  const { config, store, sealer, log, parts } = foundation;
  const { settings } = config;
  const shared = await parts.start({
    start: () => openRateLimiter(config.database, settings.apiRateLimit),
    stop: (it) => it?.close(),
  });
  const uptime = () => performance.now();
  const limiter = shared ?? localLimiter(settings.apiRateLimit, uptime);
  const lookup = new DnsResolver(config.dnsResolvers);
  const proofs = new DomainProofs({ store, lookup, settings, now: Date.now, log, ...workerOf(foundation) });
  await parts.start({ start: () => proofs.start(), stop: () => proofs.stop() });
  const resources: EngineDependencies = {
    ...{ store, settings, sealer, proofs, now: Date.now },
    ...{ online: needs.online, outbox: needs.events.outbox, uses: needs.uses },
  };
  const joining = new JoinFacts(settings);
  const { login, providers } = await startLogins(foundation, needs.loginRefused);
  const oidc = await consoleOidc(foundation, login, needs.console);
  const api = createApi({
    joining: () => joining.current,
    authorityPem: () => joining.authorityPem,
    engine: createEngine(resources),
    authenticate: (bearer, tokenHash) => authenticateApiKey(store, bearer, tokenHash),
    ...{ restrictions: needs.restrictions, vocabularies: needs.vocabularies, settings, log },
    now: uptime,
    observe: foundation.metrics.apiRequest,
    used: (account, key, address) => needs.uses.used(account, key, address),
    limiter,
    console: { ...needs.console, ...(oidc === null ? {} : { oidc }) },
    ...{ unreachable: needs.unreachable, late: needs.late },
    standalone: {
      ...{ operations: standaloneOperations, runs: needs.runs },
      ...{ streams: needs.streams, endStreams: needs.endStreams },
    },
  });
  return { api, limiter, joining, audit: createAudit(resources), lookup, login, providers };
}

async function startLogins(
  foundation: Foundation,
  refused: LoginRefused,
): Promise<Pick<Deciding, 'login' | 'providers'>> {
  const { config, store, sealer, errorPrefix, log, parts } = foundation;
  const { settings } = config;
  const { allowPrivate, publicPort, errorCodeHeader: codeHeader } = settings;
  const now = Date.now;
  const login = await parts.start({
    start: () => startLogin({ store, sealer, settings, log, now }),
    stop: ({ records }) => records.stop(),
  });
  await parts.start({
    async start() {
      const refresh = new IdpMetadataRefresh({
        ...{ store, allowPrivate, now, random: Math.random, log },
        ...workerOf(foundation),
      });
      await refresh.start();
      return refresh;
    },
    stop: (refresh) => refresh.stop(),
  });
  const saml = new SamlModules({ store, sealer, login, publicPort });
  const providers = await parts.start({
    start: () =>
      new ProviderService({
        endpoints: [new OauthCallback(login), new SamlEndpoints(saml, now, refused)],
        ...{ errorPrefix, codeHeader, log, now },
      }),
    stop: (it) => it.close(LINGER_MS),
  });
  return { login, providers };
}

/** Identifies this process among the daemons that could do some work for all. */
function workerOf({ isShared }: Pick<Foundation, 'isShared'>) {
  return { daemon: isShared ? randomUUID() : null, uptime: () => performance.now() };
}
