/** A real SAML identity provider on this machine: pysaml2, with alice of the staff and bob of the guests, who have no passwords. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from './client.ts';
import type { Identity } from './client-certificates.ts';
import { isOnPath, missing } from './missing.ts';
import { Process } from './process.ts';

const script = fileURLToPath(new URL('identity-provider.py', import.meta.url));
const library = '/usr/lib/python3/dist-packages/saml2/__init__.py';

/** Reason why there can be none here; false when there can. */
export const samlProviderMissing = missing(
  'pysaml2',
  existsSync(library) && isOnPath('xmlsec1'),
  ...['python3-pysaml2', 'xmlsec1'],
);

export class SamlProvider {
  /** URL without a final slash. */
  readonly url: string;
  readonly #process: Process;
  readonly #client: Client;

  private constructor(url: string, process: Process, client: Client) {
    this.url = url;
    this.#process = process;
    this.#client = client;
  }

  /** `identity` is for `localhost`, with an RSA key: it signs with it, too. */
  static async start({ pem, pemFile, keyFile }: Identity): Promise<SamlProvider> {
    // Debian's Python, whichever is first on the PATH.
    const process = Process.program('/usr/bin/python3', [script, '--key', keyFile, '--certificate', pemFile]);
    const [, url = ''] = await process.line(/^listening at (\S+)$/);
    return new SamlProvider(url, process, new Client(Number(new URL(url).port), pem));
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }

  get metadataUrl(): string {
    return `${this.url}/metadata`;
  }

  async metadata(): Promise<string> {
    const { text } = await this.#client.request(new URL(this.metadataUrl));
    return text;
  }

  /** Accepts the service with these metadata from now on. */
  async trust(metadata: string): Promise<void> {
    const headers = { 'content-type': 'application/samlmetadata+xml' };
    const { status, text } = await this.#client.request(new URL(`${this.url}/trust`), {
      ...{ method: 'POST', headers, body: metadata },
    });
    if (status !== 204) throw new Error(`it does not trust the service: ${text}`);
  }

  /** The part of each message that is signed from now on. */
  async sign(what: 'assertion' | 'response' | 'both'): Promise<void> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status, text } = await this.#client.request(new URL(`${this.url}/sign`), {
      ...{ method: 'POST', headers, body: `what=${what}` },
    });
    if (status !== 204) throw new Error(`it does not sign the ${what}: ${text}`);
  }

  /** Returns the URL of a login that begins at the provider and ends at `target`. */
  startUrl(service: string, target: string): string {
    return `${this.url}/start?${new URLSearchParams({ sp: service, target })}`;
  }
}
