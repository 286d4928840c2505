/** The half of the daemon that carries: agents' tunnels, the edge that visitors come to, and the listeners beside it. */
import type { TLSSocket } from 'node:tls';
import { useDigestKey } from '../access/passwords.ts';
import { Signpost } from '../api/signpost.ts';
import { noteDaemons } from '../core/limits/shared-rate.ts';
import type { Hostname } from '../core/names/hostname.ts';
import { apiNames, connectName, idpName } from '../core/service-names.ts';
import { DnsListener } from '../dns/dns-listener.ts';
import { challengeZone } from '../dns/targets.ts';
import { ZoneTexts } from '../dns/zone-texts.ts';
import { Edge, type EdgeOptions } from '../edge/edge.ts';
import type { Service } from '../edge/listeners/front-door.ts';
import { LoadBalancers } from '../edge/listeners/load-balancers.ts';
import type { Observe } from '../edge/sites/exchange-record.ts';
import { requestRuns } from '../insight/traffic/request-lists.ts';
import type { RequestLog } from '../insight/traffic/request-log.ts';
import { serveApplied } from '../link/everywhere.ts';
import type { Links } from '../link/links.ts';
import { noPeers } from '../link/peers.ts';
import { Questions } from '../link/questions.ts';
import type { AccessLog } from '../logs/access-log.ts';
import { loadMacKey } from '../pki/mac-key.ts';
import { TicketKeys } from '../pki/ticket-keys.ts';
import { resourceKinds } from '../resources/kinds/index.ts';
import { createRef } from '../resources/show.ts';
import type { StandaloneRuns } from '../resources/standalone/definition.ts';
import type { LoginRefused } from '../saml/endpoints.ts';
import { openDirectory } from '../store/databases/open.ts';
import type { DirectoryLink } from '../store/postgres/directory-link.ts';
import { isFree } from '../system/listen.ts';
import { Ingress } from '../tunnels/ingress.ts';
import type { DirectoryOptions } from '../tunnels/ingress-options.ts';
import { SshGateway } from '../tunnels/ssh/gateway.ts';
import { loadHostKeys, publishHostKeys } from '../tunnels/ssh/host-keys.ts';
import { AgentDoor } from './agent-door.ts';
import type { Certificates } from './certificates.ts';
import type { Deciding, Rules } from './deciding.ts';
import { drainTraffic } from './drain.ts';
import { type Foundation, LINGER_MS } from './foundation.ts';
import { noteIncarnation, previousIncarnation } from './incarnation.ts';
import { followIsolation, isolationOver, serveIsolation } from './isolation.ts';
import { checkReach, followNodes, ownFacts, startLinks } from './linking.ts';
import { neighboursOf, serveNeighbours } from './neighbours.ts';
import { runsOfRecordings, type StartedRecordings, startRecordings } from './recordings.ts';
import { RefusedVisits } from './refused-visits.ts';
import { refusedClient, refusedLogin, requestsUri, startRequestLog } from './request-log.ts';
import { SessionEvents } from './session-events.ts';
import { TrafficEvents } from './traffic-events.ts';

/**
 * Milliseconds after a restart until which agents are expected back. Stock agents try again after 0, 50 and 2,500. A
 * handshake and a bind take time on a machine on which everything starts at once.
 */
const AGENTS_RETURN_MS = 10_000;
/** Milliseconds for the PROXY header of a connection at `--ssh-listen`. */
const SSH_HEADER_MS = 30_000;

/** Milliseconds after its last renewal for which a daemon certainly lives. */
const LEASE_MS = 20_000;

/** The longest wait at the start for links to other daemons. Without them, visitors would find less than there is. */
const NEIGHBOURS_MS = 2_000;

/** Receivers of connections to names that browsers open by mistake. */
interface Places {
  readonly signpost: Signpost;
  readonly agentDoor: AgentDoor<TLSSocket>;
}

export class Carrying {
  readonly ingress: Ingress;
  /** Questions to the other daemons, for operations of the API. */
  readonly questions: Questions;
  /** The last requests of visitors here. */
  readonly requests: RequestLog;
  /** Further observers of requests and connections that have ended. */
  readonly observers: Observe[] = [];
  readonly #foundation: Foundation;
  readonly #rules: Rules;
  readonly #refusals: RefusedVisits;
  readonly #recordings: StartedRecordings;
  #edge: Edge | null = null;

  private constructor(foundation: Foundation, rules: Rules, ingress: Ingress, recordings: StartedRecordings) {
    this.#foundation = foundation;
    this.#rules = rules;
    this.ingress = ingress;
    this.questions = new Questions(ingress.peers ?? noPeers);
    this.#recordings = recordings;
    this.requests = startRequestLog(foundation, recordings.bodies);
    this.#refusals = new RefusedVisits(foundation.errorPrefix, foundation.config.settings, Date.now);
  }

  /** Starts the tunnels. No agent comes before `startEdge`. */
  static async start(foundation: Foundation, rules: Rules): Promise<Carrying> {
    const shared = await startDirectory(foundation);
    const recordings = await startRecordings(foundation);
    const directory = shared?.options ?? null;
    const carrying = await foundation.parts.start({
      start: async () => {
        const ingress = await startIngress(foundation, rules, directory);
        return new Carrying(foundation, rules, ingress, recordings);
      },
      // Agents connect through the edge, so it outlives their sessions.
      stop: async (carrying) => {
        await carrying.ingress.close(LINGER_MS);
        await carrying.#edge?.close(LINGER_MS);
      },
    });
    if (shared !== null) await checkReach(shared.links, shared.link, LEASE_MS);
    carrying.#watchIsolation();
    return carrying;
  }

  #watchIsolation(): void {
    const { peers, directory, others } = this.ingress;
    if (peers === null || directory === null) return;
    serveIsolation(peers, directory);
    followIsolation(this.#foundation, directory, others);
  }

  /** Reports a refused login to the account of the edge that serves its page. */
  readonly loginRefused: LoginRefused = (page, client, fault) => {
    const served = this.#edge?.servedAt(page) ?? null;
    if (served === null) return;
    this.#refusals.login(served, { page, client, fault });
    this.requests.refused(refusedLogin(served, { page, client, fault }));
  };

  /** Runs operations of the API about traffic. */
  get runs(): StandaloneRuns {
    const { recordings } = this.#recordings;
    return {
      ...requestRuns(this.requests, this.questions, requestsUri(this.#foundation)),
      ...runsOfRecordings(this.#foundation, this.ingress.online, recordings),
    };
  }

  /** Serves visitors, agents and API clients. */
  async startEdge(deciding: Deciding, certificates: Certificates, accessLog: AccessLog): Promise<Edge> {
    const { config, log, parts, siblings } = this.#foundation;
    const { settings, drainMs } = config;
    const { api } = deciding;
    const places = await this.#startPlaces();
    const edge = await Edge.prepare(this.#edgeOptions({ ...deciding, ...places }, certificates, accessLog));
    this.#edge = edge;
    serveNeighbours(this.ingress, edge);
    await this.ingress.others?.whole(NEIGHBOURS_MS);
    // Visitors and API clients need the tunnels, so they go first. A listener may be open after a failed start.
    await parts.start({
      start: () => edge,
      stop: async () => {
        await drainTraffic({ edge, api }, drainMs);
        await siblings.served(drainMs);
      },
    });
    const { port } = await edge.start();
    if (port !== settings.listen.port) {
      log.warn(
        { port, expected: settings.listen.port },
        'the inherited socket has another port than --listen: give --listen the same, or clients get wrong addresses',
      );
    }
    return edge;
  }

  /** Starts what is at the bare domain and at the name for agents. */
  #startPlaces(): Promise<Places> {
    const { config, metrics, log, parts } = this.#foundation;
    const { signpostRequest: observe } = metrics;
    return parts.start({
      start: () => {
        const signpost = new Signpost({ settings: config.settings, observe, log });
        return {
          signpost,
          agentDoor: new AgentDoor<TLSSocket>({
            ...{ agents: this.ingress, browsers: signpost },
            cut: () => observe('refused'),
          }),
        };
      },
      stop: async ({ signpost, agentDoor }) => {
        agentDoor.close();
        await signpost.close(LINGER_MS);
      },
    });
  }

  #edgeOptions(
    deciding: Deciding & Places,
    { domains, acme }: Certificates,
    accessLog: AccessLog,
  ): EdgeOptions {
    const { config, store, sealer, errorPrefix, descriptors, metrics, log } = this.#foundation;
    const { settings, visitorLimits, followsOther } = config;
    const { ingress } = this;
    const { events, marks } = this.#rules;
    const traffic = new TrafficEvents(events.traffic, marks, errorPrefix, Date.now);
    return {
      settings: { ...settings, errorPrefix },
      ...{ store, sealer, login: deciding.login, online: ingress.online, certificates: domains, log },
      services: this.#services(deciding),
      ticketKeys: new TicketKeys({ sealer, now: Date.now }),
      ...(acme === null ? {} : { challenges: acme.challenges }),
      now: () => performance.now(),
      observe: (record) => {
        metrics.exchange(record);
        accessLog.observe(record);
        ingress.visits.observe(record);
        traffic.observe(record);
        this.#refusals.observe(record);
        this.requests.observe(record);
        for (const observe of this.observers) observe(record);
      },
      recorded: (account) => {
        if (traffic.recordsHeads(account)) return 'heads';
        const isShown = accessLog.recordsRequests() || ingress.visits.areWatched(account);
        return isShown || this.requests.wants(account) ? 'line' : 'outcome';
      },
      recordings: this.#recordings.recordings,
      observer: metrics,
      clientRefused: (client) => {
        this.#refusals.client(client);
        this.requests.refused(refusedClient(client));
      },
      limits: { ...descriptors, ...visitorLimits },
      ...neighboursOf(ingress),
      expectAgentsMs: followsOther ? AGENTS_RETURN_MS : 0,
    };
  }

  /** The services behind the daemon's own names. */
  #services({ api, providers, signpost, agentDoor }: Deciding & Places): ReadonlyMap<Hostname, Service> {
    const { settings } = this.#foundation.config;
    const { consoleHost } = settings;
    return new Map<Hostname, Service>([
      // The API may be at the bare domain, and then replaces it.
      [settings.domain, signpost],
      ...apiNames(settings).map((name): [Hostname, Service] => [name, api]),
      ...(consoleHost === null ? [] : [[consoleHost, api] as const]),
      [connectName(settings), agentDoor],
      [idpName(settings), providers],
    ]);
  }
}

async function startIngress(
  { config, store, sealer, errorPrefix, metrics, version, log }: Foundation,
  { restrictions, events, uses }: Rules,
  directory: DirectoryOptions | null,
): Promise<Ingress> {
  const { settings } = config;
  const { host, isShared = false } = settings.listen;
  return await Ingress.start({
    ...{ store, log, version, restrictions },
    ...(directory === null ? {} : { directory }),
    bindTokenKey: await loadMacKey({ store, sealer, purpose: 'bind-token' }),
    settings: { ...settings, errorPrefix },
    refused: metrics.agentRefused,
    observer: new SessionEvents({
      buffer: events.sessions,
      ref: createRef(resourceKinds, settings.baseUrl),
      hostname: connectName(settings),
      now: Date.now,
      used: (account, credential, ip) => uses.used(account, credential, ip),
    }),
    isPortFree: (port) => isFree({ host, port, isShared }),
  });
}

/** The parts for other daemons of the database. */
interface Shared {
  readonly link: DirectoryLink;
  readonly links: Links;
  readonly options: DirectoryOptions;
}

/** Prepares the directory of all daemons, and links to them. Returns null if only this daemon uses the database. */
async function startDirectory(foundation: Foundation): Promise<Shared | null> {
  const { config, store, sealer } = foundation;
  const link = await openDirectory(config.database, config.isAlone);
  if (link === null) return null;
  useDigestKey(await loadMacKey({ store, sealer, purpose: 'login-digest' }));
  const links = await startLinks(foundation);
  serveApplied(links, (revision) => foundation.observed.reached(revision));
  return { link, links, options: directoryOf(foundation, link, links) };
}

function directoryOf(foundation: Foundation, link: DirectoryLink, links: Links): DirectoryOptions {
  const { config, log, moved } = foundation;
  const { ownDir } = config;
  moved.add(() => link.renew());
  return {
    link,
    peers: links,
    isolation: isolationOver(links, config.isolateMs),
    facts: ownFacts(foundation, links),
    times: { leaseMs: LEASE_MS, graceMs: config.graceMs },
    previous: previousIncarnation(ownDir),
    joined: (incarnation) => {
      noteIncarnation(ownDir, incarnation, log);
      links.joined(incarnation);
    },
    nodes: (others) => {
      noteDaemons(others.size + 1);
      followNodes(links, others);
    },
  };
}

/** Starts the SSH gateway, if one is configured. */
export async function startSshGateway(foundation: Foundation, ingress: Ingress): Promise<SshGateway | null> {
  const { config, store, sealer, descriptors, metrics, log, parts } = foundation;
  const { sshListen: address, dataDir, proxyProtocolFrom: ranges } = config.settings;
  if (address === null) return null;
  const loadBalancers = new LoadBalancers({
    ...{ ranges, headerMs: SSH_HEADER_MS, log },
    connections: { failed: (_socket, reason) => metrics.handshakeFailed(reason), identified: () => true },
  });
  return await parts.start({
    start: async () =>
      SshGateway.start({
        ...{ address, ingress, connections: descriptors.ssh, log },
        identify: (socket, known) => loadBalancers.identify(socket, known),
        hostKeys: await publishHostKeys(dataDir, await loadHostKeys({ store, sealer })),
      }),
    stop: (gateway) => gateway.stop(),
  });
}

/** Starts the DNS listener for challenges of certificates, if one is configured. */
export async function startDns({
  config,
  store,
  descriptors,
  metrics,
  log,
  parts,
}: Foundation): Promise<void> {
  const { dnsListen: address, settings } = config;
  if (address === null) return;
  const texts = await parts.start({ start: () => ZoneTexts.start(store, log), stop: (it) => it.stop() });
  await parts.start({
    start: () =>
      DnsListener.start({
        ...{ address, connections: descriptors.dns, observe: metrics.dnsQuery, log },
        zone: { name: challengeZone(settings), nameServer: connectName(settings), texts },
        now: () => performance.now(),
      }),
    stop: (dns) => dns.stop(),
  });
}
