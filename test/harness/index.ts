/**
 * The test harness: real daemons, agents, upstreams and clients. Nothing that crosses a wire is mocked.
 *
 * A system test is a file in test/system that is named after what it is about, and whose tests are named after what a user would see:
 *
 *     let platform: Platform;
 *     before(async () => {
 *       platform = await Platform.shared(); // One daemon for all tests of the file: each uses names of its own.
 *     });
 *     after(() => platform.stop());
 *
 * - `platform.api` calls the management API and holds each answer against the OpenAPI document; `platform.visit` is a visitor,
 *   `platform.agent` a real agent, `startUpstream` what it forwards to, `Process` any other program.
 * - `Platform.shared()` is a daemon that the next file reuses after its resources are removed, which saves its start.
 * - `Platform.start()` is a daemon for one file alone. Use it if a test counts metrics or logs, uses up limits of a source, creates accounts, or
 *   sets the daemon's environment.
 * - Wait with `eventually`, `until` or `inTime`. `TEST_TIMEOUT_FACTOR` stretches their deadlines.
 * - `Postgres.shared()` gives databases on the server of the run; `Postgres.start()` a server that the test may stop.
 * - `Cluster.start()` is several daemons of one database, which a test can kill, freeze and cut off from the database.
 * - Stop in `after` what a test starts, also after a failure: a run that leaves processes behind fails. Use free ports.
 * - A test that takes more than ten seconds of CPU time (`npm test -- --durations`), half a minute, or a machine of its own is in a file
 *   `*.slow.test.ts`, which CI runs.
 */
export { browserMissing, startBrowser } from './browser.ts';
export { type Answer, Client } from './client.ts';
export { type CertificateOptions, ClientCertificates, type Identity } from './client-certificates.ts';
export { closing } from './closing.ts';
export { Cluster, type ClusterNode, type ClusterOptions, type Place } from './cluster.ts';
export { ClusterBalancer, type Connects } from './cluster-balancer.ts';
export { type CommandResult, underpassd } from './command.ts';
export { type CurlResult, curl, curlMissing } from './curl.ts';
export { EventStream, type ReceivedEvent } from './event-stream.ts';
export { freePortRange, freePorts } from './free-ports.ts';
export { h2load, h2loadMissing, h2spec, h2specMissing } from './http2-tools.ts';
export { selfSigned } from './make-certificate.ts';
export { shareMasterKey } from './master-key.ts';
export { LoadBalancer, nginxMissing } from './nginx.ts';
export { OidcProvider } from './oidc-provider.ts';
export { negotiatedSuite, offeredSuites, opensslMissing, sessionWith } from './openssl.ts';
export { Pebble, pebbleMissing } from './pebble.ts';
export { PgBouncer, pgbouncerMissing } from './pgbouncer.ts';
export { type Bootstrap, Platform, type PlatformOptions, type RunningAgent } from './platform.ts';
export { Postgres, postgresMissing } from './postgres.ts';
export { Process, pathToNode } from './process.ts';
export { Relay, type RelayOptions, type Way } from './relay.ts';
export { startedFor } from './repository-command.ts';
export { Resident, residentMegabytes, residentMissing, sharedMegabytes } from './resident.ts';
export { SamlProvider, samlProviderMissing } from './saml-provider.ts';
export { inNamespace, SmallDisk } from './small-disk.ts';
export { makeSshKey, SshServer, ssh, sshClient, sshMissing, sshServerMissing } from './ssh.ts';
export { StatingProvider } from './stating-provider.ts';
export { type LostVisit, SteadyVisitors } from './steady-visitors.ts';
export { timeoutMs } from './timeouts.ts';
export { eventually, inTime, until } from './until.ts';
export { startUpstream, type Upstream } from './upstream.ts';
export { Visitor, type VisitorAnswer, type VisitorOptions } from './visitor.ts';
export { WebServer, webServerMissing, webServers } from './web-servers.ts';
