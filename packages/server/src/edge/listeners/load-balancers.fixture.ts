/** Load balancers for tests without any. */
import { LoadBalancers } from './load-balancers.ts';

export const noLoadBalancers = new LoadBalancers({
  ranges: [],
  headerMs: 30_000,
  connections: { failed() {}, identified: () => true },
  log: { warn() {} },
});
