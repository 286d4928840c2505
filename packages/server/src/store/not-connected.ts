/** A call that was not sent, because there is no connection at the moment. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
}
