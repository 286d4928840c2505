/**
 * Assembles the daemon: store, authority, tunnels, route table, API and front door, in the order of their
 * dependencies. Parts stop in the reverse order. The rules themselves are in the parts.
 */

import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { IpRestrictions } from '../access/ip-restrictions.ts';
import { authenticateApiKey } from '../access/tokens.ts';
import type { Acme, AcmeOptions } from '../acme/acme.ts';
import { createApi } from '../api/server.ts';
import { Vocabularies } from '../api/vocabularies.ts';
import type { Config } from '../command/config.ts';
import { inFile } from '../command/profile-file.ts';
import { ForOperator } from '../core/for-operator.ts';
import type { Hostname } from '../core/names/hostname.ts';
import { apiNames, connectName, idpName } from '../core/service-names.ts';
import { DnsListener } from '../dns/dns-listener.ts';
import { DomainProofs } from '../dns/domain-proofs.ts';
import { DnsResolver } from '../dns/resolver.ts';
import { challengeZone } from '../dns/targets.ts';
import { ZoneTexts } from '../dns/zone-texts.ts';
import { documentsIn } from '../documents/store.ts';
import { siteKinds } from '../edge/compile/site-table.ts';
import { Edge } from '../edge/edge.ts';
import type { Service } from '../edge/listeners/front-door.ts';
import { prepareEvents } from '../events/events.ts';
import { DeliveryMarks } from '../events/targets/delivery-marks.ts';
import { ClockWatch } from '../health/clock-watch.ts';
import { Readiness } from '../health/readiness.ts';
import { registerStore, storeNotices } from '../health/store-readiness.ts';
import { startLogin } from '../login/login.ts';
import { OauthCallback } from '../login/oauth-callback.ts';
import { ProviderService } from '../login/provider-service.ts';
import { AccessLog } from '../logs/access-log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { performerInDaemon } from '../operator/in-daemon.ts';
import { listenForOperators, socketPath } from '../operator/socket.ts';
import { DomainCertificates } from '../pki/domain-certificates.ts';
import { ExpiryLog } from '../pki/expiry-log.ts';
import { LocalAuthority } from '../pki/local-authority.ts';
import { LocalCertificates } from '../pki/local-certificates.ts';
import { loadMacKey } from '../pki/mac-key.ts';
import { loadMasterKeys, MasterKeyError } from '../pki/master-key.ts';
import { SealError, Sealer } from '../pki/seal.ts';
import { ServiceCertificates } from '../pki/service-certificates.ts';
import { TicketKeys } from '../pki/ticket-keys.ts';
import type { EngineDependencies } from '../resources/engine/contexts.ts';
import { createAudit, createEngine } from '../resources/engine/engine.ts';
import { openDestination } from '../resources/event-targets/open-destination.ts';
import { resourceKinds, resourceSurfaces } from '../resources/kinds/index.ts';
import { createRef } from '../resources/show.ts';
import { type LoginRefused, SamlEndpoints } from '../saml/endpoints.ts';
import { IdpMetadataRefresh } from '../saml/metadata-refresh.ts';
import { SamlModules } from '../saml/modules.ts';
import { openRateLimiter, openStore } from '../store/databases/open.ts';
import { ObservedStore } from '../store/observed.ts';
import { StoreOpenError } from '../store/open-error.ts';
import { OutageLog } from '../store/outage-log.ts';
import { StoreRefusedError, StoreUnavailableError, WriteOutcomeUnknownError } from '../store/store.ts';
import { descriptorLimit, descriptorsInUse, planDescriptors } from '../system/descriptors.ts';
import { ensureFile } from '../system/files.ts';
import { otherWritersOf } from '../system/folder-access.ts';
import { isFree, ListenError } from '../system/listen.ts';
import { makeFolder } from '../system/make-folder.ts';
import { UnreadableFile } from '../system/named-file.ts';
import { Ingress, ingressKinds } from '../tunnels/ingress.ts';
import { SshGateway } from '../tunnels/ssh/gateway.ts';
import { HostCertificateError, loadHostKeys, publishHostKeys } from '../tunnels/ssh/host-keys.ts';
import { startAdmin } from './admin.ts';
import { ensureFirstAccount, publishBootstrap } from './bootstrap.ts';
import { drainTraffic } from './drain.ts';
import { requireContents, requireDatabaseFile } from './lost-database.ts';
import { RefusedVisits } from './refused-visits.ts';
import { SessionEvents } from './session-events.ts';
import { TrafficEvents } from './traffic-events.ts';

/**
 * Milliseconds after a restart until which agents are expected back. Stock agents try again after 0, 50 and 2,500. A
 * handshake and a bind take time on a machine on which everything starts at once.
 */
const AGENTS_RETURN_MS = 10_000;
/** Milliseconds for the last bytes of sessions and connections. Meanwhile agents try to come back, each time later. */
const LINGER_MS = 200;

/** The daemon cannot start; the message names the cause and the remedy. */
export class StartError extends ForOperator {
  override readonly name = 'StartError';
}

export interface Daemon {
  /** The file that the first start wrote; null on later starts. */
  readonly bootstrapFile: string | null;
  readonly accessLog: AccessLog;
  readonly certificates: Pick<ServiceCertificates, 'readAgain'>;
  stop(): Promise<void>;
}

/** Starts everything. Rejects with StartError and leaves nothing running when a part cannot start. */
export async function startDaemon(config: Config, log: Logger, version: string): Promise<Daemon> {
  const closers: (() => Promise<void> | void)[] = [];
  const readiness = new Readiness();
  const stop = async (): Promise<void> => {
    readiness.register('draining', () => 'the daemon is stopping');
    for (const close of closers.reverse()) await close();
  };
  try {
    const { errorPrefix, profile, domain: shared } = config.settings;
    const accessLog = new AccessLog(config.accessLog, log, profile?.errorPrefix ?? errorPrefix);
    const certificates = await ServiceCertificates.load({
      files: config.certificateFiles,
      shared,
      names: [...new Set([...apiNames(config.settings), connectName(config.settings)])],
      now: Date.now,
      log,
    });
    const parts = { config, log, accessLog, certificates, version, readiness, closers };
    return { bootstrapFile: await assemble(parts), accessLog, certificates, stop };
  } catch (error) {
    await stop();
    throw asStartError(error, config);
  }
}

interface Assembly {
  readonly config: Config;
  readonly log: Logger;
  readonly accessLog: AccessLog;
  /** Certificates of the operator's files. */
  readonly certificates: ServiceCertificates;
  readonly version: string;
  readonly readiness: Readiness;
  /** Functions that stop the parts, in the order of their start. */
  readonly closers: (() => Promise<void> | void)[];
}

async function assemble(assembly: Assembly): Promise<string | null> {
  const { config, log, accessLog, version, readiness, closers, certificates: service } = assembly;
  const { settings, drainMs } = config;
  // Before anything is made: a word of the profile that cannot be must leave nothing behind.
  const vocabularies = inFile(
    settings.profile?.path ?? '',
    () => new Vocabularies(settings, resourceSurfaces),
  );
  const seenErrorPrefix = settings.profile?.errorPrefix ?? settings.errorPrefix;
  makeFolder(settings.dataDir);
  accessSync(settings.dataDir, constants.W_OK | constants.X_OK);
  for (const reason of otherWritersOf(settings.dataDir))
    log.warn(
      { dataDir: settings.dataDir },
      `other users may change the data dir: ${reason}. Give it to the daemon's user, with mode 0700.`,
    );
  const metrics = createMetrics(version);
  const descriptors = planDescriptors(descriptorLimit(), descriptorsInUse(), {
    wanted: config.connections ?? undefined,
    takesSsh: settings.sshListen !== null,
  });
  if (config.connections !== null && config.connections > descriptors.connections) {
    log.warn(
      { connections: descriptors.connections, expected: config.connections },
      'there are file descriptors for fewer connections than --connections sets: allow the daemon more of them (ulimit -n)',
    );
  }
  readiness.register('starting', () => 'the daemon is starting');
  // Starts first and ends last, so that readiness checks get a response for as long as the daemon lives.
  if (config.adminListen !== null) {
    const admin = await startAdmin(
      config.adminListen,
      { metrics, readiness, connections: descriptors.admin, hosts: config.adminHosts },
      log,
    );
    closers.push(() => admin.close(LINGER_MS));
  }
  const place = { dataDir: settings.dataDir, database: config.database };
  requireDatabaseFile(place);
  const opened = await openStore(config.database, storeNotices(readiness, log));
  const now = (): number => performance.now();
  const observed = new ObservedStore(opened, metrics.store, new OutageLog(log, now), now);
  metrics.watchStore(observed);
  registerStore(readiness, observed);
  const store = documentsIn(observed);
  closers.push(() => store.close());
  const clock = new ClockWatch({ lastId: () => observed.lastId(), now: Date.now, log });
  readiness.registerWarning('clock_ahead', () => clock.message);
  closers.push(clock.start());
  await requireContents(store, place);
  const inUse = (await store.snapshot(['local_ca'])).documents.length > 0;
  const sealer = new Sealer(
    ...(await loadMasterKeys({ dataDir: settings.dataDir, env: process.env, inUse })),
  );

  const authority = await LocalAuthority.load({
    store,
    sealer,
    now: Date.now,
    name: `Underpass ${settings.domain}`,
  });
  const caFile = join(settings.dataDir, 'ca.pem');
  let acme: Acme | null = null;
  /**
   * Publishes the authorities that agents and clients on this machine trust: the signers of the certificates for the
   * service's names.
   */
  const publishAuthorities = () => {
    const roots = [...service.roots(), ...(acme?.serviceNames?.roots() ?? [])];
    return ensureFile(caFile, [...new Set([authority.certificatePem, ...roots])].join('\n'), 0o644);
  };
  closers.push(service.watch(publishAuthorities));
  await ensureFirstAccount(store, settings);

  // Most of what is stored is followed by more than one part.
  const listed = observed.listTogether([...ingressKinds, ...siteKinds]);
  closers.push(listed);
  const restrictions = await IpRestrictions.start({ store, log });
  closers.push(() => restrictions.stop());
  const marks = new DeliveryMarks({ sealer, domain: settings.domain, now: Date.now });
  const events = await prepareEvents({
    ...{ store, log, isShared: config.database.kind === 'postgres', ...metrics.events },
    open: (destination) => openDestination(destination, sealer, settings, marks),
  });
  closers.push(() => events.stop());
  const ingress = await Ingress.start({
    store,
    bindTokenKey: await loadMacKey({ store, sealer, purpose: 'bind-token' }),
    settings: { ...settings, errorPrefix: seenErrorPrefix },
    log,
    version,
    restrictions,
    refused: metrics.agentRefused,
    observer: new SessionEvents({
      buffer: events.sessions,
      ref: createRef(resourceKinds, settings.baseUrl),
      hostname: connectName(settings),
      now: Date.now,
    }),
    isPortFree: (port) => isFree({ host: settings.listen.host, port }),
  });
  let prepared: Edge | null = null;
  closers.push(() => prepared?.close(LINGER_MS));
  closers.push(() => ingress.close(LINGER_MS));
  const limiter = await openRateLimiter(config.database, settings.apiRateLimit);
  closers.push(() => limiter?.close());
  const lookup = new DnsResolver(config.dnsResolvers);
  const proofs = new DomainProofs({ store, lookup, settings, now: Date.now, log });
  closers.push(() => proofs.stop());
  const resources: EngineDependencies = {
    ...{ store, settings, sealer, proofs, now: Date.now },
    online: ingress.online,
    outbox: events.outbox,
  };
  const api = createApi({
    engine: createEngine(resources),
    authenticate: (bearer, tokenHash) => authenticateApiKey(store, bearer, tokenHash),
    restrictions,
    vocabularies,
    settings,
    log,
    now: () => performance.now(),
    observe: metrics.apiRequest,
    ...(limiter === null ? {} : { limiter }),
  });
  const login = await startLogin({ store, sealer, settings, log, now: Date.now });
  closers.push(() => login.records.stop());
  const { allowPrivate } = settings;
  const idpMetadata = new IdpMetadataRefresh({
    store,
    allowPrivate,
    now: Date.now,
    random: Math.random,
    log,
  });
  closers.push(() => idpMetadata.stop());
  await idpMetadata.start();
  const services = new Map<Hostname, Service>([
    ...apiNames(settings).map((name): [Hostname, Service] => [name, api]),
    [connectName(settings), ingress],
  ]);
  const samlModules = new SamlModules({ store, sealer, login, publicPort: settings.publicPort });
  const refusals = new RefusedVisits(seenErrorPrefix, Date.now);
  const loginRefused: LoginRefused = (page, client, fault) => {
    const served = prepared?.servedAt(page) ?? null;
    if (served !== null) refusals.login(served, { page, client, fault });
  };
  const providers = new ProviderService({
    endpoints: [new OauthCallback(login), new SamlEndpoints(samlModules, Date.now, loginRefused)],
    ...{ errorPrefix: seenErrorPrefix, codeHeader: settings.errorCodeHeader, log, now: Date.now },
  });
  services.set(idpName(settings), providers);
  closers.push(() => providers.close(LINGER_MS));
  const isShared = config.database.kind === 'postgres';
  const serviceChanged = (): void => {
    // What is there at the start is published below, once.
    if (acme === null) return;
    publishAuthorities().catch((error: unknown) =>
      log.error({ err: error }, 'ca.pem cannot be brought up to date'),
    );
  };
  const audit = createAudit(resources);
  acme = await prepareAcme(config, { store, sealer, audit, lookup, isShared, serviceChanged, log });
  closers.push(() => acme?.stop());
  await publishAuthorities();
  const certificates = await DomainCertificates.start({
    store,
    sealer,
    service: {
      certificateOf: (name) => service.certificateOf(name) ?? acme?.serviceNames?.certificateOf(name) ?? null,
    },
    local: new LocalCertificates({ authority, now: Date.now }),
    shared: settings.domain,
    log,
  });
  closers.push(() => certificates.stop());
  const traffic = new TrafficEvents(events.traffic, marks, seenErrorPrefix, Date.now);
  const edge = await Edge.prepare({
    settings: { ...settings, errorPrefix: seenErrorPrefix },
    store,
    online: ingress.online,
    services,
    certificates,
    sealer,
    login,
    ticketKeys: new TicketKeys({ sealer, now: Date.now }),
    ...(acme === null ? {} : { challenges: acme.challenges }),
    log,
    now: () => performance.now(),
    observe(record) {
      metrics.exchange(record);
      accessLog.observe(record);
      ingress.visits.observe(record);
      traffic.observe(record);
      refusals.observe(record);
    },
    recorded: (account) => {
      if (traffic.recordsHeads(account)) return 'heads';
      return accessLog.recordsRequests() || ingress.visits.areWatched(account) ? 'line' : 'outcome';
    },
    observer: metrics,
    clientRefused: (client) => refusals.client(client),
    limits: { ...descriptors, ...config.visitorLimits },
    expectAgentsMs: settings.listen.descriptor === undefined ? 0 : AGENTS_RETURN_MS,
  });
  prepared = edge;
  await proofs.start();
  // What still runs needs its tunnels: visitors and API clients go first, agents after them.
  closers.push(() => drainTraffic({ edge, api }, drainMs));
  const { port } = await edge.start();
  if (port !== settings.listen.port) {
    log.warn(
      { port, expected: settings.listen.port },
      'the inherited socket has another port than --listen: give --listen the same, or clients get wrong addresses',
    );
  }
  events.start();
  if (settings.sshListen !== null) {
    const gateway = await SshGateway.start({
      address: settings.sshListen,
      hostKeys: await publishHostKeys(settings.dataDir, await loadHostKeys({ store, sealer })),
      ingress,
      connections: descriptors.ssh,
      log,
    });
    closers.push(() => gateway.stop());
  }
  if (config.dnsListen !== null) {
    const texts = await ZoneTexts.start(store, log);
    closers.push(() => texts.stop());
    const dns = await DnsListener.start({
      address: config.dnsListen,
      zone: { name: challengeZone(settings), nameServer: connectName(settings), texts },
      connections: descriptors.dns,
      now: () => performance.now(),
      observe: metrics.dnsQuery,
      log,
    });
    closers.push(() => dns.stop());
  }
  await acme?.start();
  const socket = socketPath(config.database);
  if (socket !== null) {
    const installation = { store, sealer, database: config.database, dataDir: settings.dataDir };
    const operators = await listenForOperators(socket, performerInDaemon(installation, log), log);
    closers.push(() => operators?.close());
  }
  const expiries = function* () {
    yield authority.expiry;
    yield* service.expiries();
    yield* acme?.serviceNames?.expiries() ?? [];
    yield* certificates.expiries();
  };
  metrics.watch({
    sessions: () => ingress.counts.sessions,
    tunnels: () => ingress.counts.tunnels,
    connections: () => edge.connections,
    exists: (id) => edge.exists(id),
    tcpListeners: () => edge.tcpListeners,
    connectionLimit: descriptors.connections,
    certificates: expiries,
  });
  const expiryLog = new ExpiryLog({ expiries, now: Date.now, log });
  closers.push(expiryLog.start());
  // At the first look they may not be known.
  void certificates.loaded().then(() => expiryLog.look());
  const bootstrapFile = await publishBootstrap(settings, caFile).catch((error: unknown) => {
    log.warn({ err: error }, 'bootstrap.json is left as it is: its addresses may be those of another start');
    return null;
  });
  listed();
  readiness.remove('starting');
  return bootstrapFile;
}

/** Null where no certificates are got: then what that needs is not loaded. */
async function prepareAcme(
  { acme: config, dnsListen, settings }: Config,
  parts: Pick<AcmeOptions, 'store' | 'sealer' | 'audit' | 'lookup' | 'isShared' | 'serviceChanged' | 'log'>,
): Promise<Acme | null> {
  if (config === null) return null;
  const { prepareAcme: prepare } = await import('../acme/acme.ts');
  const ownZone = dnsListen === null ? null : 'zone';
  const dns = config.dnsHook === null ? ownZone : { hook: config.dnsHook };
  return prepare({ ...parts, config, settings, dns, takesPlainHttp: settings.httpListen !== null });
}

/** Turns an error that the operator can mend into a sentence with the remedy; returns any other error unchanged. */
function asStartError(error: unknown, { settings: { dataDir } }: Config): unknown {
  if (error instanceof ListenError) {
    return new StartError(
      `${error.message}: choose another address with --listen, --http-listen, --ssh-listen, --dns-listen or --admin-listen`,
    );
  }
  if (error instanceof SealError) {
    return new StartError(
      `${error.message}: put back the master.key that belongs to the data dir ${dataDir}, or set UNDERPASS_MASTER_KEY to what it was`,
    );
  }
  if (
    error instanceof StoreOpenError ||
    error instanceof MasterKeyError ||
    error instanceof HostCertificateError
  ) {
    return new StartError(error.message);
  }
  if (error instanceof StoreRefusedError) {
    return new StartError(
      `the database refuses what the start needs: ${error.message}. Change what it names; another start alone changes nothing`,
    );
  }
  if (error instanceof UnreadableFile) {
    return new StartError(`${error.message}: move it away, or put the file of this installation there`);
  }
  // What the first start makes is made once, however often it is begun.
  if (error instanceof StoreUnavailableError || error instanceof WriteOutcomeUnknownError) {
    return new StartError(`the database went away during the start (${error.message}): start again`);
  }
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new StartError(
        `the data dir ${dataDir} is not writable (${message}): give this user the right to write there, or choose another with --data-dir`,
      );
    case 'ENOSPC':
      return new StartError(
        `the disk of the data dir ${dataDir} is full (${message}): make room there, or choose another with --data-dir`,
      );
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartError(
        `the data dir ${dataDir} cannot be made (${message}): choose another with --data-dir`,
      );
    default:
      return error;
  }
}
