/**
 * The store as those see it who know what is in it: a document's kind tells what its body is.
 * Never that a document is written whose body is not of its kind's shape: the one assertion here stands on that.
 */
import * as untyped from '../store/follow.ts';
import type {
  Change as AnyChange,
  StoredDocument as AnyDocument,
  Slice as AnySlice,
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

/** Queues are those of event destinations, and nothing else is in them. */
export interface QueuedEvent extends QueueEntry {
  readonly body: QueuedEventBody;
}

/** A change of a document of one kind. */
export interface ChangeOfKind<Kind extends KindName> extends Omit<AnyChange, 'kind' | 'document'> {
  readonly kind: Kind;
  readonly document: DocumentOfKind<Kind> | null;
}

/** A document of one of these kinds, of any if none is named: which one it is tells what its body is. */
export type StoredDocument<Kind extends KindName = KindName> = { [K in Kind]: DocumentOfKind<K> }[Kind];
export type Change<Kind extends KindName = KindName> = { [K in Kind]: ChangeOfKind<K> }[Kind];

export interface Slice<Kind extends KindName = KindName> {
  readonly revision: Revision;
  readonly documents: readonly StoredDocument<Kind>[];
}

export interface DocumentStore extends Omit<Store, 'get' | 'page' | 'queue' | 'scan' | 'snapshot'> {
  get(id: string): Promise<StoredDocument | null>;
  page<Kind extends KindName>(
    query: PageQuery & { readonly kind: Kind },
  ): Promise<readonly StoredDocument<Kind>[]>;
  queue(query: QueueQuery): Promise<readonly QueuedEvent[]>;
  scan<Kind extends KindName>(kinds: readonly Kind[]): AsyncIterable<Slice<Kind>>;
  snapshot<Kind extends KindName>(kinds: readonly Kind[]): Promise<Slice<Kind>>;
}

/** What `follow` tells of documents of these kinds. */
export interface DocumentFollower<Kind extends KindName> {
  // Properties, not methods: so the compiler asks that a follower understands all that it is told.
  readonly reset: (documents: readonly StoredDocument<Kind>[]) => void;
  readonly apply: (changes: readonly Change<Kind>[]) => void;
}

/** A store that has nothing else than documents of these shapes. */
export function documentsIn(store: Store): DocumentStore {
  return store as DocumentStore;
}

/** What `scan` read of these kinds elsewhere. */
export function slicesOf<Kind extends KindName>(
  slices: AsyncIterable<AnySlice>,
  _kinds: readonly Kind[],
): AsyncIterable<Slice<Kind>> {
  return slices as AsyncIterable<Slice<Kind>>;
}

/** As `follow` of the store, for followers that know what is in it. */
export function followDocuments<Kind extends KindName>(
  store: DocumentStore,
  kinds: readonly Kind[],
  follower: DocumentFollower<Kind>,
  options: untyped.FollowOptions = {},
): Promise<{ stop(): Promise<void> }> {
  return untyped.follow(store, kinds, follower, options);
}
