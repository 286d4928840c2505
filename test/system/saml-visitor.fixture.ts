/**
 * A visitor with a browser who logs in by SAML: keeps cookies by their names, and carries messages to and from the
 * test's provider.
 */
import assert from 'node:assert/strict';
import { createVerify } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { answer, inForm, type ResponseParts } from '../../packages/server/src/saml/provider.fixture.ts';
import type { Answer, Platform } from '../harness/index.ts';

/** The service's view of its module. */
export interface SamlResource {
  readonly entity_id: string;
  readonly assertion_consumer_service_url: string;
  readonly single_logout_url: string;
  readonly request_signing_certificate_pem: string;
}

/** A message that the browser carries to the provider. */
export interface Asked {
  readonly xml: string;
  readonly id: string;
  readonly relayState: string;
}

export class SamlVisitor {
  readonly #platform: Pick<Platform, 'visit'>;
  readonly #cookies = new Map<string, Map<string, string>>();

  /** The service may be several daemons; `visit` chooses one. */
  constructor(platform: Pick<Platform, 'visit'>) {
    this.#platform = platform;
  }

  /** Returns a visitor with the same cookies, independent of later changes. */
  copy(): SamlVisitor {
    const copy = new SamlVisitor(this.#platform);
    for (const [host, cookies] of this.#cookies) copy.#cookies.set(host, new Map(cookies));
    return copy;
  }

  /** Opens a page as a browser does. */
  async open(
    url: string,
    headers: Readonly<Record<string, string>> = { accept: 'text/html' },
  ): Promise<Answer> {
    const cookies = this.#cookiesOf(url);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answered = await this.#platform.visit(url, {
      headers: cookie === '' ? headers : { ...headers, cookie },
    });
    for (const set of [answered.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answered;
  }

  #cookiesOf(url: string): Map<string, string> {
    const { host } = new URL(url);
    const known = this.#cookies.get(host);
    if (known !== undefined) return known;
    const cookies = new Map<string, string>();
    this.#cookies.set(host, cookies);
    return cookies;
  }

  /** Opens a page that requires a login, and returns the request for the provider. */
  async ask(url: string, { request_signing_certificate_pem: certificate }: SamlResource): Promise<Asked> {
    const { status, headers } = await this.open(url);
    assert.equal(status, 302);
    return readMessage(new URL(String(headers.location)), certificate);
  }

  /** Brings what the provider has answered. */
  async bring(saml: SamlResource, response: string, relayState: string): Promise<Answer> {
    return await this.#platform.visit(saml.assertion_consumer_service_url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ SAMLResponse: inForm(response), RelayState: relayState }).toString(),
    });
  }

  /** Runs a whole login; returns the last response, a page or a refusal. */
  async logIn(url: string, saml: SamlResource, parts: Partial<ResponseParts> = {}): Promise<Answer> {
    const { id, relayState } = await this.ask(url, saml);
    const back = await this.bring(
      saml,
      answer({ ...partsFor(saml), inResponseTo: id, ...parts }),
      relayState,
    );
    return await this.follow(back);
  }

  /** Follows redirects until another response. */
  async follow(answered: Answer): Promise<Answer> {
    let at = answered;
    while (at.status === 302 || at.status === 303) at = await this.open(String(at.headers.location));
    return at;
  }
}

export function partsFor({ entity_id, assertion_consumer_service_url }: SamlResource): ResponseParts {
  const now = Date.now();
  return {
    ...{ consumer: assertion_consumer_service_url, audience: entity_id, now },
    id: `_${Math.random().toString(36).slice(2)}`,
  };
}

/** Reads the message of a redirect, and verifies the module's signature. */
export function readMessage(url: URL, certificate: string): Asked {
  const [, signed = ''] = /^\?(.*)&Signature=/.exec(url.search) ?? [];
  const signature = url.searchParams.get('Signature') ?? '';
  assert.ok(createVerify('sha256').update(signed).verify(certificate, signature, 'base64'), 'its signature');
  const parts = url.searchParams;
  const message = parts.get('SAMLRequest') ?? parts.get('SAMLResponse') ?? '';
  const deflated = Buffer.from(message, 'base64');
  const xml = inflateRawSync(deflated).toString();
  return {
    xml,
    id: / ID="([^"]+)"/.exec(xml)?.[1] ?? '',
    relayState: parts.get('RelayState') ?? '',
  };
}
