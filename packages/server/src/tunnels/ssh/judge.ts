/** Decides at once how a forward is answered, because many clients open no session before they have the response. */
import { Problem } from '../../errors/problem.ts';
import type { ForwardRequest } from '../../ssh/connection.ts';
import { readBind } from '../bind.ts';
import type { IngressContext } from '../context.ts';
import type { SessionTunnels } from '../session-tunnels.ts';
import { type Command, readCommand } from './command.ts';
import { impliedCommand, isNamed, toBind } from './forward.ts';
import type { Judgement } from './forwards.ts';

type Settings = IngressContext['settings'];

/**
 * A forward of port 0 without a name is given a TCP port, unless only a website is possible. A name that would be refused has no response:
 * the client is shown the reason first.
 */
export function judge(
  request: ForwardRequest,
  tunnels: Pick<SessionTunnels, 'check' | 'reserveAddress'>,
  forcedCommand: string | null,
  settings: Settings,
): Judgement {
  try {
    const command = expectedCommand(request, forcedCommand, settings);
    // A random name of a website cannot be judged: the flags of the command may give another one.
    if (isNamed(request) || (command.protocol === 'tcp' && request.port !== 0))
      tunnels.check(readBind(toBind(command, request, settings.publicPort), settings));
    if (request.port !== 0) return { port: request.port, reserved: null };
    if (command.protocol !== 'tcp') return { port: settings.publicPort, reserved: null };
    return reserve(tunnels, settings);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // The bind meets the same problem, and the client is shown it.
    return { port: null, reserved: null };
  }
}

/** Raises Problem. */
function expectedCommand(request: ForwardRequest, forced: string | null, settings: Settings): Command {
  const command = forced === null ? 'help' : readCommand(forced);
  return command === 'help' ? impliedCommand(request, settings.publicPort) : command;
}

function reserve(tunnels: Pick<SessionTunnels, 'reserveAddress'>, { publicPort }: Settings): Judgement {
  try {
    const reserved = tunnels.reserveAddress();
    return { port: reserved.port, reserved };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // The credential may have names only, or no port is free.
    return { port: publicPort, reserved: null };
  }
}
