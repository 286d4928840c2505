/** The page, as it is served. */

export interface Asset {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Null: there is none at this path. */
export async function pageAsset(_path: string, _token: string): Promise<Asset | null> {
  return null;
}
