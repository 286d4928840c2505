/** Stored shapes about traffic. */

/**
 * A recording of the bodies of an edge or an endpoint. The parent is the edge, or the account, so that it ends with them.
 * It stays for an hour after its end. Times are milliseconds since 1970.
 */
export type BodyRecordingDocument = {
  /** `edghts_…` or `ep_…` */
  readonly site: string;
  /** The bound name of an endpoint, which it keeps if its agent connects again; '' for an edge. */
  readonly endpoint: string;
  /** `usr_…` or `bot_…`, the member that began it. */
  readonly owner_id: string;
  readonly begun_at: number;
  /** The latest end. */
  readonly ends_at: number;
  /** 0 while it lasts. */
  readonly ended_at: number;
};
