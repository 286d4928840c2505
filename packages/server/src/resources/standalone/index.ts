/** Operations of the API that belong to no kind, in the order of the reference. */
import { bindRulesTest, ipRulesTest } from './access-tests.ts';
import { changesList } from './changes.ts';
import { consoleLinkCreate, consoleSessionsDelete, consoleSessionsList } from './console.ts';
import type { StandaloneOperation } from './definition.ts';
import { explainRequest } from './explain.ts';
import { meGet } from './me.ts';
import { namesList } from './names.ts';
import { overviewGet } from './overview.ts';
import { statusGet } from './status.ts';
import { streamOpen } from './stream.ts';
import { trafficRecent } from './traffic-recent.ts';
import {
  trafficRecordingsCreate,
  trafficRecordingsDelete,
  trafficRecordingsList,
} from './traffic-recordings.ts';
import { trafficRequestsGet, trafficRequestsList } from './traffic-requests.ts';
import { trafficSeries } from './traffic-series.ts';
import { visitorLoginsDelete, visitorLoginsList } from './visitor-logins.ts';

export const standaloneOperations: readonly StandaloneOperation[] = [
  meGet,
  overviewGet,
  statusGet,
  namesList,
  changesList,
  streamOpen,
  explainRequest,
  trafficRequestsList,
  trafficRequestsGet,
  trafficRecordingsList,
  trafficRecordingsCreate,
  trafficRecordingsDelete,
  consoleLinkCreate,
  consoleSessionsList,
  consoleSessionsDelete,
  trafficSeries,
  bindRulesTest,
  ipRulesTest,
  visitorLoginsList,
  visitorLoginsDelete,
  trafficRecent,
];
