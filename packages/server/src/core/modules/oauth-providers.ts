/** The OAuth providers that are known by name. */
export const oauthProviders = [
  'github',
  'facebook',
  'microsoft',
  'google',
  'linkedin',
  'gitlab',
  'twitch',
  'amazon',
] as const;

export type OauthProvider = (typeof oauthProviders)[number];

/** Returns null for an unknown name. */
export function oauthProvider(text: string): OauthProvider | null {
  const name = text.toLowerCase();
  return oauthProviders.find((one) => one === name) ?? null;
}

/** Returns the context that the client's secret is sealed for. */
export function oauthSecretContext(client: {
  readonly name: OauthProvider;
  readonly client_id: string;
}): string {
  return `oauth/${client.name}/${client.client_id}`;
}

/** Returns true if the text can be an address in lower case. */
export function isUserEmail(text: string): boolean {
  return text.length <= 255 && /^[^\s@A-Z]+@[^\s@A-Z]+$/.test(text);
}

/** Returns true if the text can follow the `@` of an address, in lower case. URLs and wildcards would match no address. */
export function isUserDomain(text: string): boolean {
  return text.length <= 255 && /^[^\s@A-Z:/*?#,;]+$/.test(text);
}
