/** Joins two channels of one connection: the bytes and ends of each go to the other. */
import { ErrorCode, type StreamHandler } from '@underpass/wire';
import type { Channel } from './channel.ts';

export function joinChannels(one: Channel, other: Channel): void {
  one.handler = towards(one, other);
  other.handler = towards(other, one);
}

function towards(from: Channel, to: Channel): StreamHandler {
  return {
    data(chunk) {
      if (!to.write(chunk)) from.pause();
    },
    end: () => to.end(),
    drain: () => to.resume(),
    close(code) {
      if (code !== ErrorCode.none) to.reset(code);
    },
  };
}
