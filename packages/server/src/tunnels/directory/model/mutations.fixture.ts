/**
 * Faults that the model can be given, each a rule of the design left out or bent. The model must notice every one.
 */
export const mutations = {
  'grants-over-others': 'a claim ignores rows of other credentials',
  'claim-deletes-rows': 'a claim deletes what it replaces, instead of its daemon',
  'no-fence': 'a daemon serves however old its last renewal is',
  'late-fence': 'a daemon serves for longer than lease and grace',
  'fence-without-wall-clock': 'a daemon that slept does not notice it',
  'fence-without-uptime': 'a daemon whose wall clock was set back serves on',
  'renewal-from-its-answer': 'the fence counts from the answer of a renewal, not from its sending',
  'kept-connections-unchecked': 'requests on a kept connection are served without a look at fence and tunnel',
  'death-by-database-clock': 'a daemon is dead when the clock of the database says so',
  'death-without-round': 'a daemon is declared dead although it has renewed since',
  'foreign-grace': 'a daemon is declared dead after the time for which the one that observes it would serve',
  'early-death': 'a daemon is declared dead before its fence has fallen',
  'renews-when-dead': 'a daemon that was declared dead renews and serves on',
  'incarnations-reused': 'a daemon has the incarnation of the one before it',
  'hop-by-name': 'the far end serves any tunnel of the name, not the one with the number',
  'older-rows-win': 'rows that arrive late replace newer ones',
  'answers-unfenced': 'the answer to a claim is installed although its tunnel is over by then',
  'deletes-before-it-ends': 'a daemon deletes a row before it has ended the tunnel',
  'no-clean-up': 'rows of a daemon that it does not know stay',
  'replaced-unnotified': 'a bind is answered before daemons with replaced tunnels know of it',
  'revives-numbers': 'an agent that returns has a number for which a statement gave it up',
  'isolation-assumed': 'a daemon without renewals is declared dead as if it had reported its isolation',
  'isolated-serves': 'a daemon that has reported its isolation goes on to serve',
  'isolated-resumes':
    'a daemon that has reported its isolation serves again after a late answer to a renewal',
  'isolates-alone': 'a daemon is isolated although no other one can renew',
  'late-reports': 'the report of another daemon counts however late it arrives',
  'slept-over-reports': 'the time in which the machine slept is not part of the age of a report',
  'recovered-reports': 'the report of a daemon that could not renew a moment ago counts',
} as const;

export type Mutation = keyof typeof mutations;
