/**
 * The store, typed by document kinds: a document's kind determines its body.
 * Invariant: the body of a written document has the shape of its kind. The one type assertion here relies on it.
 */
import * as untyped from '../store/follow.ts';
import type {
  Change as AnyChange,
  StoredDocument as AnyDocument,
  Slice as AnySlice,
  Feed,
  PageQuery,
  QueueEntry,
  QueueQuery,
  Revision,
  Store,
} from '../store/store.ts';
import type { QueuedEventBody } from './events.ts';
import type { Documents, KindName } from './kinds.ts';

/** A document of one kind. */
export interface DocumentOfKind<Kind extends KindName> extends Omit<AnyDocument, 'kind' | 'body'> {
  readonly kind: Kind;
  readonly body: Documents[Kind];
}

/** An entry of an event destination's queue. Other queues do not exist. */
export interface QueuedEvent extends QueueEntry {
  readonly body: QueuedEventBody;
}

/** A change of a document of one kind. */
export interface ChangeOfKind<Kind extends KindName> extends Omit<AnyChange, 'kind' | 'document'> {
  readonly kind: Kind;
  readonly document: DocumentOfKind<Kind> | null;
}

/** A document of one of these kinds, or of any kind if none is named. Its kind determines its body. */
export type StoredDocument<Kind extends KindName = KindName> = { [K in Kind]: DocumentOfKind<K> }[Kind];
export type Change<Kind extends KindName = KindName> = { [K in Kind]: ChangeOfKind<K> }[Kind];

export interface Slice<Kind extends KindName = KindName> {
  readonly revision: Revision;
  readonly documents: readonly StoredDocument<Kind>[];
}

/** The part of the store that followers need, with typed documents. */
export interface DocumentFeed extends Omit<Feed, 'get' | 'scan' | 'snapshot'> {
  get(id: string): Promise<StoredDocument | null>;
  scan<Kind extends KindName>(kinds: readonly Kind[]): AsyncIterable<Slice<Kind>>;
  snapshot<Kind extends KindName>(kinds: readonly Kind[]): Promise<Slice<Kind>>;
}

export interface DocumentStore extends DocumentFeed, Omit<Store, keyof Feed | 'page' | 'queue'> {
  page<Kind extends KindName>(
    query: PageQuery & { readonly kind: Kind },
  ): Promise<readonly StoredDocument<Kind>[]>;
  queue(query: QueueQuery): Promise<readonly QueuedEvent[]>;
}

/** Receives the changes of documents of these kinds. */
export interface DocumentFollower<Kind extends KindName> {
  // Properties, not methods, so that the compiler checks the parameter types strictly.
  readonly reset: (documents: readonly StoredDocument<Kind>[]) => void;
  readonly apply: (changes: readonly Change<Kind>[]) => void;
}

/** Types a store that has only documents of these shapes. */
export function documentsIn(store: Store): DocumentStore {
  return store as DocumentStore;
}

/** Types slices that `scan` read from another store. */
export function slicesOf<Kind extends KindName>(
  slices: AsyncIterable<AnySlice>,
  _kinds: readonly Kind[],
): AsyncIterable<Slice<Kind>> {
  return slices as AsyncIterable<Slice<Kind>>;
}

/** Follows a feed like `follow` of the store, with typed documents. */
export function followDocuments<Kind extends KindName>(
  feed: DocumentFeed,
  kinds: readonly Kind[],
  follower: DocumentFollower<Kind>,
  options: untyped.FollowOptions = {},
): Promise<{ stop(): Promise<void> }> {
  return untyped.follow(feed, kinds, follower, options);
}
