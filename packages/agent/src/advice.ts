/** What to do about a refusal. */
import type { RefusedStage } from './refused.ts';

export const ADVICE: Readonly<Record<RefusedStage, string>> = {
  auth: 'Check the authtoken: --authtoken, UNDERPASS_AUTHTOKEN, the config file or data/bootstrap.json.',
  bind: 'The tunnel was not started. Check --domain, --address and --label, and what the credential may bind.',
  certificate:
    'Give the authority that signed it with --ca FILE (the daemon keeps its own in its data directory: ca.pem), ' +
    'and check that --server names the host of the certificate.',
};
