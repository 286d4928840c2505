/**
 * A visitor's connection inside this program.
 * Invariant: an unused connection does not keep the process alive.
 */
import { type MuxStream, type ProxyHeader, StreamDuplex } from '@underpass/wire';

/**
 * A Duplex with those parts of a `net.Socket` that Node's HTTP and TLS servers use. It reads only on demand.
 * Destroying it resets the visitor's connection.
 */
export class TunnelConnection extends StreamDuplex {
  /**
   * The visitor's address; undefined if the service did not send it. Visitors share HTTP connections, so it is that
   * of the first one: use X-Forwarded-For for the visitor of a request.
   */
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  readonly remoteFamily: 'IPv4' | 'IPv6' | undefined;
  /** True if the service terminated the visitor's TLS; frameworks take their protocol from it. */
  readonly encrypted: boolean;
  readonly header: ProxyHeader;
  /** Milliseconds without a byte after which `timeout` is emitted; 0 never. */
  timeout = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(stream: MuxStream, header: ProxyHeader) {
    super(stream);
    this.header = header;
    this.encrypted = header.Proto === 'https' && !header.PassthroughTLS;
    const [, address, port] = /^\[?(.*?)\]?:(\d+)$/.exec(header.ClientAddr) ?? [];
    this.remoteAddress = address;
    this.remotePort = port === undefined ? undefined : Number(port);
    this.remoteFamily = address === undefined ? undefined : address.includes(':') ? 'IPv6' : 'IPv4';
    // A visitor's disconnect must not end the program.
    this.on('error', () => {});
  }

  setTimeout(ms: number, onTimeout?: () => void): this {
    if (onTimeout !== undefined) {
      if (ms > 0) this.once('timeout', onTimeout);
      else this.off('timeout', onTimeout);
    }
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.timeout = ms;
    this.#timer = ms > 0 && !this.destroyed ? setTimeout(() => this.emit('timeout'), ms).unref() : null;
    return this;
  }

  /** Ends, and destroys when everything is written. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  override push(chunk: Buffer | null): boolean {
    this.#timer?.refresh();
    return super.push(chunk);
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#timer?.refresh();
    super._write(chunk, encoding, done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    super._destroy(error, done);
  }
}
