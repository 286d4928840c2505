/** The numbers of SSH (RFC 4250, section 4): messages, reasons of a disconnect, reasons why a channel is not opened. */

export const Message = {
  disconnect: 1,
  ignore: 2,
  unimplemented: 3,
  debug: 4,
  serviceRequest: 5,
  serviceAccept: 6,
  extInfo: 7,
  kexInit: 20,
  newKeys: 21,
  kexEcdhInit: 30,
  kexEcdhReply: 31,
  userauthRequest: 50,
  userauthFailure: 51,
  userauthSuccess: 52,
  userauthBanner: 53,
  userauthPkOk: 60,
  globalRequest: 80,
  requestSuccess: 81,
  requestFailure: 82,
  channelOpen: 90,
  channelOpenConfirmation: 91,
  channelOpenFailure: 92,
  channelWindowAdjust: 93,
  channelData: 94,
  channelExtendedData: 95,
  channelEof: 96,
  channelClose: 97,
  channelRequest: 98,
  channelSuccess: 99,
  channelFailure: 100,
} as const;

export const Disconnect = {
  protocolError: 2,
  keyExchangeFailed: 3,
  serviceNotAvailable: 7,
  byApplication: 11,
  noMoreAuthMethods: 14,
} as const;
export type Disconnect = (typeof Disconnect)[keyof typeof Disconnect];

export const OpenFailure = {
  prohibited: 1,
  resourceShortage: 4,
} as const;
export type OpenFailure = (typeof OpenFailure)[keyof typeof OpenFailure];
