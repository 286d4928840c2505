/**
 * The worker's side of the channel to its supervisor.
 * Invariant: a worker ends after its supervisor has ended.
 */
import type { Daemon } from '../daemon/daemon.ts';
import type { FromWorker, Question, Responses, ToWorker } from './messages.ts';

/** The process of the worker. */
export interface Channel {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
  send?(message: FromWorker): unknown;
  readonly connected: boolean;
}

export type Answering = Pick<Daemon, 'metrics' | 'readiness' | 'bootstrapFile' | 'handOver' | 'siblings'>;

/** Reports that the worker is ready, and answers from then on. `ended`: called when the supervisor has ended. */
export function answerSupervisor(channel: Channel, daemon: Answering, ended: () => void): void {
  const send = (message: FromWorker): void => {
    if (channel.connected) channel.send?.(message);
  };
  channel.on('message', (message) => {
    const { id, ...question } = message as ToWorker;
    // Without a response the supervisor uses earlier figures, or none. It may be of a newer version, with other questions.
    answerTo(question, daemon, () => send({ kind: 'served' })).then(
      (response) => send({ kind: 'response', id, response }),
      () => {},
    );
  });
  const disconnected = (): void => {
    // The others end, too. None reports when its visitors are served, so each waits as long as they may take.
    daemon.siblings.endTogether(() => {});
    ended();
  };
  channel.once('disconnect', disconnected);
  if (!channel.connected) disconnected();
  send({ kind: 'ready', bootstrapFile: daemon.bootstrapFile });
}

async function answerTo(
  question: Question,
  { metrics, readiness, handOver, siblings }: Answering,
  served: () => void,
): Promise<Responses[keyof Responses]> {
  switch (question.about) {
    case 'life':
      return true;
    case 'handOver':
      handOver();
      return true;
    case 'endTogether':
      siblings.endTogether(served);
      return true;
    case 'allServed':
      siblings.allServed();
      return true;
    case 'metrics':
      return await metrics.text();
    case 'readiness': {
      const { purpose } = question;
      const [reasons, warnings] = await Promise.all([
        readiness.reasons(purpose),
        readiness.warnings(purpose),
      ]);
      return { reasons, warnings };
    }
    default:
      question satisfies never;
      throw new Error('the question is of another version');
  }
}
