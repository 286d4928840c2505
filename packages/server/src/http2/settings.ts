/** Settings that the two sides of a connection exchange (RFC 9113, section 6.5). */
import { FrameType, frame, Http2Error, MAX_WINDOW } from '@underpass/wire/http2';

export const Setting = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
  enableConnectProtocol: 8,
} as const;

const ENTRY_BYTES = 6;
const MIN_MAX_FRAME = 2 ** 14;
const MAX_MAX_FRAME = 2 ** 24 - 1;
/** More of them in one frame serve nothing. */
const MOST_ENTRIES = 32;

export type Settings = ReadonlyMap<number, number>;

export function settingsFrame(settings: Settings): Buffer {
  const payload = Buffer.alloc(ENTRY_BYTES * settings.size);
  let at = 0;
  for (const [id, value] of settings) {
    payload.writeUInt16BE(id, at);
    payload.writeUInt32BE(value, at + 2);
    at += ENTRY_BYTES;
  }
  return frame(FrameType.settings, 0, 0, payload);
}

/** Returns the settings in a frame, the last value of each; or the error code of an invalid frame. */
export function readSettings(payload: Buffer): Settings | number {
  if (payload.length % ENTRY_BYTES !== 0) return Http2Error.frameSize;
  if (payload.length > ENTRY_BYTES * MOST_ENTRIES) return Http2Error.enhanceYourCalm;
  const settings = new Map<number, number>();
  for (let at = 0; at < payload.length; at += ENTRY_BYTES) {
    const id = payload.readUInt16BE(at);
    const value = payload.readUInt32BE(at + 2);
    const error = errorOf(id, value);
    if (error !== null) return error;
    settings.set(id, value);
  }
  return settings;
}

function errorOf(id: number, value: number): number | null {
  switch (id) {
    case Setting.enablePush:
    case Setting.enableConnectProtocol:
      return value > 1 ? Http2Error.protocol : null;
    case Setting.initialWindowSize:
      return value > MAX_WINDOW ? Http2Error.flowControl : null;
    case Setting.maxFrameSize:
      return value < MIN_MAX_FRAME || value > MAX_MAX_FRAME ? Http2Error.protocol : null;
    default:
      return null;
  }
}
