/** The test harness: real daemons, agents, upstreams and clients. In: options. Out: handles that stop what they started. What may change here: conveniences; never a mock. */
export { browserMissing, startBrowser } from './browser.ts';
export { type Answer, Client } from './client.ts';
export { type CommandResult, underpassd } from './command.ts';
export { type CurlResult, curl } from './curl.ts';
export { negotiatedSuite, offeredSuites } from './openssl.ts';
export { type Bootstrap, freePorts, Platform, type RunningAgent } from './platform.ts';
export { Postgres, postgresMissing } from './postgres.ts';
export { Process } from './process.ts';
export { Resident, residentMegabytes, residentMissing } from './resident.ts';
export { inNamespace, SmallDisk } from './small-disk.ts';
export { makeSshKey, SshServer, ssh } from './ssh.ts';
export { timeoutMs } from './timeouts.ts';
export { eventually, inTime, until } from './until.ts';
export { startUpstream, type Upstream } from './upstream.ts';
export { Visitor, type VisitorAnswer, type VisitorOptions } from './visitor.ts';
