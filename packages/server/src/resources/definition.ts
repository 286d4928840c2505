/**
 * Declarative definitions of resource kinds. Routes, validation, OpenAPI, storage, reference checks and tests derive
 * from them.
 * Invariant: code for one kind alone is in the kind's file.
 */

import type { ApiKeyGrant } from '../access/tokens.ts';
import type { EventStem } from '../core/event-types.ts';
import type { Settings } from '../core/settings.ts';
import type { TObject } from '../core/type.ts';
import type { DomainProofs } from '../dns/domain-proofs.ts';
import type { DocumentStore, KindName } from '../documents/index.ts';
import type { Problem } from '../errors/problem.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import type { OnlineFacts, WantedName } from '../online/online.ts';
import type { StoredDocument as AnyDocument, JsonObject, NameClaim } from '../store/store.ts';
import type { Group } from './groups.ts';
import type { RequestState } from './request-state.ts';
import type { Selection } from './selection.ts';

/** The caller: the owner of the API key. */
export interface Principal extends ApiKeyGrant {
  /** The address that the request came from. */
  readonly address: string;
  /** Name of the operation, for the audit trail. */
  readonly operation?: string;
  /** Id of the request, as in errors and logs. */
  readonly operationId?: string;
}

/** Kinds that exist while an agent is online; the names of all other kinds are those of their documents. */
export type LiveKindName = 'tunnel' | 'tunnel_session' | 'endpoint';

export type Operation = 'create' | 'list' | 'get' | 'update' | 'delete';

/** A module that is addressed below its resource: `PUT|GET|DELETE <path>/{id}/<name>`. */
export interface ModuleDefinition {
  readonly name: string;
  readonly schemaName: string;
  readonly summary: string;
  readonly write: TObject;
  readonly read: TObject;
}

/** A part that can be removed from a resource: `DELETE <path>/{id}/<name>`. */
export interface Detachment {
  readonly name: string;
  /** Field of the stored body; null in it if nothing is attached. */
  readonly field: string;
  readonly summary: string;
}

/**
 * A list in a resource whose elements are addressed by a key of their own: `POST|GET <path>/{parameter}/<name>` and
 * `GET|PATCH|DELETE <path>/{parameter}/<name>/{key}`.
 */
export interface ElementsDefinition {
  readonly name: string;
  /** Name of the id's parameter in the path, e.g. `subscription_id`. */
  readonly parameter: string;
  /** The field of an element that is its key, e.g. `type`. */
  readonly key: string;
  readonly schemaName: string;
  readonly summary: string;
  /** Singular name with its article: "a source of an event subscription". */
  readonly one: string;
  readonly create: TObject;
  readonly update: TObject;
  readonly read: TObject;
}

/** A separate view of a resource: `GET <path>/{id}/<name>`. */
export interface ViewDefinition {
  readonly name: string;
  readonly schemaName: string;
  readonly summary: string;
  readonly read: TObject;
}

/** An action on a resource: `POST <path>/{id}/<name>`. */
export interface ActionDefinition {
  readonly name: string;
  readonly summary: string;
  /** Response with 200; absent: 204 without a body. */
  readonly result?: { readonly schemaName: string; readonly read: TObject };
  /** True: it changes nothing, so viewers may call it, and it has no entry in the audit trail. */
  readonly isRead?: true;
}

/** The part of a kind's definition that the API layer and OpenAPI use. The engine's hooks are added by `ResourceKind`. */
export interface KindSurface {
  /** The store, or what is online at the moment. */
  readonly source: 'stored' | 'live';
  /** E.g. `tls_edge`. */
  readonly name: string;
  /** Prefix of ids without the underscore, e.g. `edgtls`. */
  readonly prefix: string;
  /**
   * Collection path, e.g. `/edges/tls`. Of a kind that lives below another it has one parameter, which is the field that
   * refers to the parent: `/edges/https/{edge_id}/routes`.
   */
  readonly path: string;
  readonly listKey: string;
  /** Name in OpenAPI, e.g. `TLSEdge`. */
  readonly schemaName: string;
  readonly summary: string;
  /** Purpose, in a sentence or two. */
  readonly description: string;
  /** Group for readers. */
  readonly group: Group;
  /** Singular name with its article: "a TLS edge". */
  readonly one: string;
  readonly operations: readonly Operation[];
  readonly create?: TObject;
  readonly update?: TObject;
  readonly read: TObject;
  readonly modules: readonly ModuleDefinition[];
  readonly detachments?: readonly Detachment[];
  readonly elements?: ElementsDefinition;
  readonly views?: readonly ViewDefinition[];
  readonly actions?: readonly ActionDefinition[];
  /** The name of the kind that this is only another name for. */
  readonly aliasOf?: string;
}

/**
 * Another name of a kind, with its own path and ids. Everything else comes from the kind. A kind with an alias has no
 * parts below its resources.
 */
export type KindAlias = Pick<
  KindSurface,
  'name' | 'prefix' | 'path' | 'listKey' | 'schemaName' | 'summary' | 'description' | 'one'
> & {
  /** Example body of a creation. The daemon accepts it beside the example of the kind. */
  readonly example: JsonObject;
};

/** The resources of a kind; of one that lives below another, those of one parent. */
export interface Collection {
  readonly kind: KindSurface;
  /** The id in the path of a kind that lives below another. */
  readonly parent?: string;
}

export interface PageRequest {
  readonly limit: number;
  /** Only ids below this one; it need not exist. */
  readonly before?: string;
  /** Absent: every resource. */
  readonly selection?: Selection;
}

export interface ListedPage {
  /** Newest first. With a selection it may be fewer than the limit, also if others follow. */
  readonly items: readonly JsonObject[];
  /** The id to page on from; null on the last page. */
  readonly next: string | null;
}

/**
 * The engine as the API layer sees it. Every method raises `Problem`. Bodies are any JSON value: the engine validates.
 * `state` has the condition of the request, and receives the state in the response.
 */
export interface ResourceEngine {
  readonly kinds: readonly KindSurface[];
  create(of: Collection, principal: Principal, body: unknown, state?: RequestState): Promise<JsonObject>;
  get(of: Collection, principal: Principal, id: string, state?: RequestState): Promise<JsonObject>;
  list(of: Collection, principal: Principal, page: PageRequest): Promise<ListedPage>;
  /** Returns the resources that refer to one. The ids of the page are of any kind. */
  usedBy(of: Collection, principal: Principal, id: string, page: PageRequest): Promise<ListedPage>;
  update(
    of: Collection,
    principal: Principal,
    id: string,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject>;
  remove(of: Collection, principal: Principal, id: string, state?: RequestState): Promise<void>;
  putModule(
    of: Collection,
    principal: Principal,
    id: string,
    module: string,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject>;
  getModule(
    of: Collection,
    principal: Principal,
    id: string,
    module: string,
    state?: RequestState,
  ): Promise<JsonObject>;
  removeModule(
    of: Collection,
    principal: Principal,
    id: string,
    module: string,
    state?: RequestState,
  ): Promise<void>;
  detach(of: Collection, principal: Principal, id: string, name: string, state?: RequestState): Promise<void>;
  view(of: Collection, principal: Principal, id: string, name: string): Promise<JsonObject>;
  /** Null for an action that has no result. */
  act(of: Collection, principal: Principal, id: string, name: string): Promise<JsonObject | null>;
  addElement(
    of: Collection,
    principal: Principal,
    id: string,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject>;
  /** The last added first; `before` is the key of one of them. The limit may be infinite. */
  listElements(
    of: Collection,
    principal: Principal,
    id: string,
    page: { readonly limit: number; readonly before?: string },
  ): Promise<readonly JsonObject[]>;
  getElement(
    of: Collection,
    principal: Principal,
    id: string,
    key: string,
    state?: RequestState,
  ): Promise<JsonObject>;
  updateElement(
    of: Collection,
    principal: Principal,
    id: string,
    key: string,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject>;
  removeElement(
    of: Collection,
    principal: Principal,
    id: string,
    key: string,
    state?: RequestState,
  ): Promise<void>;
}

/** A field of the stored body that holds ids of other resources. The engine checks them and keeps the links. */
export interface Reference {
  /** Path in the stored body, e.g. `backend.backend_id`; a `*` steps into every element of a list, a `~` to every key of a map. */
  readonly field: string;
  /** Prefixes that an id may have here. */
  readonly prefixes: readonly string[];
  readonly wrongPrefix: ErrorNeeding<'id' | 'value' | 'allowed' | 'prefix'>;
  /** Raised for an id that the account does not have. */
  readonly unknown: ErrorNeeding<'id' | 'value'>;
  /** True if the target cannot be deleted while this reference exists. */
  readonly binding: boolean;
  /** The resource lives and dies with the target; the field is one string, and never changes. */
  readonly parent?: true;
}

export type NewId = (prefix: string) => string;

/** A body that passed the kind's rules. */
export interface Draft<Body> {
  readonly body: Body;
  /**
   * The last step, inside the write, for a body that has ids or tokens of its own; must not throw. `oneTime` is what only
   * the answer to this very request shows.
   */
  readonly complete?: (id: string, newId: NewId) => { readonly body: Body; readonly oneTime?: JsonObject };
}

/** A name or port that a resource takes from agents. */
export interface Place extends WantedName {
  /** The problem if an agent is in the way. Null starts over with another draft. */
  occupied(how: 'online' | 'held'): Problem | null;
}

/** Secrets at rest. `context` is where the secret belongs: moved elsewhere, it does not open. */
export interface Sealing {
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
}

/** Everything that the rules of a kind may read. */
export interface RuleContext {
  readonly principal: Principal;
  /** The id in the path of a kind that lives below another, known to be one of the account; else ''. */
  readonly parent: string;
  readonly store: Pick<DocumentStore, 'get' | 'findName' | 'names' | 'page' | 'snapshot' | 'linksTo'>;
  readonly online: OnlineFacts;
  readonly settings: Settings;
  readonly sealer: Sealing;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A reference to another resource, as it is shown. */
export type Ref = { readonly id: string; readonly uri: string };

/** Everything that the response form of a resource may read. */
export interface ShowContext {
  readonly account: string;
  readonly store: Pick<DocumentStore, 'get' | 'findName' | 'page'>;
  readonly online: OnlineFacts;
  readonly settings: Settings;
  /** Returns the reference to a resource of any kind, by the prefix of its id; `parent` for kinds below another. */
  ref(id: string, parent?: string): Ref;
}

/** Everything that the parser of a module may read. */
export type ModuleContext<Config extends JsonObject = JsonObject> = Pick<RuleContext, 'sealer' | 'now'> & {
  readonly settings: Pick<
    Settings,
    'domain' | 'publicPort' | 'errorCodeHeader' | 'allowPrivate' | 'oauthClients'
  >;
  readonly principal: Pick<Principal, 'account'>;
  /** The stored configuration that the new one replaces. */
  readonly current: Config | null;
};

/**
 * A module whose configuration is the field of the same name in the stored body. `parse` gets a validated body and
 * its JSON pointer in the request; `show` gets the id of the resource.
 */
export interface StoredModule<Config extends JsonObject = JsonObject, Input = unknown>
  extends ModuleDefinition {
  parse(input: Input, pointer: string, context: ModuleContext<Config>): Config | Promise<Config>;
  show(config: Config, context: ShowContext, id: string): JsonObject;
}

/** Elements in the stored body; both functions raise `Problem`. */
export interface StoredElements<Body extends JsonObject = JsonObject, Create = unknown>
  extends ElementsDefinition {
  /** Returns the keys in the order of their addition. */
  keys(body: Body): readonly string[];
  /** The key is a field of the same name in `input`. */
  add(body: Body, input: Create): Body;
  remove(body: Body, key: string): Body;
  /** Raised for a key that is not there; its text may name `key` and `id`. */
  readonly missing: ErrorNeeding<'id' | 'key'>;
  show(document: DocumentOf<Body>, key: string, context: ShowContext): JsonObject;
}

/** Everything that views and actions may read. */
export interface ActionContext extends RuleContext, ShowContext {
  readonly store: RuleContext['store'] & Pick<DocumentStore, 'queue' | 'countQueued'>;
  readonly proofs: Pick<DomainProofs, 'look'>;
}

/** A part that each read derives again. */
export interface StoredView<Body extends JsonObject = JsonObject> extends ViewDefinition {
  show(document: DocumentOf<Body>, context: ActionContext): Promise<JsonObject>;
}

export interface StoredAction<Body extends JsonObject = JsonObject> extends ActionDefinition {
  /** Returns the new body, for an action that writes the resource. Raises `Problem`. */
  change?(document: DocumentOf<Body>, context: ActionContext): Promise<Body>;
  /** Answers its result, null where it has none. Gets the written state if there is `change`. Raises `Problem`. */
  run(document: DocumentOf<Body>, context: ActionContext): Promise<JsonObject | null>;
}

/** The planned write: a creation has no `before`, a deletion no `after`. */
export interface Step<Body extends JsonObject = JsonObject> {
  readonly before: DocumentOf<Body> | null;
  readonly after: Body | null;
}

/** A document as the engine handles it, which serves all kinds alike. */
export type DocumentOf<Body extends JsonObject = JsonObject> = AnyDocument & { readonly body: Body };

/**
 * A kind whose resources are documents of the store. `Create` and `Update` are the validated bodies (see `Input`);
 * hooks raise `Problem`. `id`, `uri`, `created_at`, `description` and `metadata` are shown by the engine.
 */
export interface StoredKind<Body extends JsonObject = JsonObject, Create = unknown, Update = unknown>
  extends KindSurface {
  readonly source: 'stored';
  readonly name: KindName;
  /** Only `aliases.ts` makes anything of it. */
  readonly alias?: KindAlias;
  /** Stem of its event types. Null: its changes make no events. */
  readonly eventStem: EventStem | null;
  readonly create: TObject;
  readonly update: TObject;
  readonly modules: readonly StoredModule[];
  readonly elements?: StoredElements<Body>;
  readonly views?: readonly StoredView<Body>[];
  readonly actions?: readonly StoredAction<Body>[];
  readonly references: readonly Reference[];
  /** The error if a caller without admin rights creates, changes or deletes one. Absent: members may. */
  readonly adminsOnly?: ErrorNeeding;
  /** Errors of its modules have the numbers of endpoint configurations. */
  readonly isConfiguration?: true;
  /** Raised when something that refers to the resource keeps it from being deleted. */
  readonly inUse?: ErrorNeeding<'id' | 'by'>;
  parse(input: Create, context: RuleContext): Promise<Draft<Body>> | Draft<Body>;
  /** An absent field of the patch is unchanged. */
  merge(document: DocumentOf<Body>, patch: Update, context: RuleContext): Promise<Draft<Body>> | Draft<Body>;
  /** Rules over the whole body, also after a module operation. */
  check?(body: Body): void;
  /**
   * Final check before a write, for rules about other resources or the caller. Returns the preconditions: other
   * resources of the account that the write depends on. The write succeeds only if they are unchanged, so that of two
   * concurrent changes, on any daemons, one starts again.
   */
  guard?(step: Step<Body>, context: RuleContext): Promise<readonly DocumentOf[]>;
  /**
   * Other resources of the account that are deleted with one, with events of their own. Children are always deleted,
   * and not in this list.
   */
  deletedWith?(document: DocumentOf<Body>, context: RuleContext): Promise<readonly DocumentOf[]>;
  /**
   * Group of kinds that refer to each other's resources. One process runs these operations of an account one after
   * the other, so that its own changes do not restart each other.
   */
  readonly writeGroup?: { readonly name: string; readonly operations: readonly Operation[] };
  /** Names that only one resource may hold. */
  claims?(body: Body, account: string): readonly NameClaim[];
  /**
   * Names and ports that agents must not have when the resource is written. Only those that it did not have before
   * are compared with agents. `input`: the body of the request.
   */
  places?(body: Body, input: JsonObject): readonly Place[];
  /**
   * Returns the problem if another resource, of the own account or not, holds a claim. Null starts over with another
   * name.
   */
  taken?(claim: NameClaim, own: boolean): Problem | null;
  /**
   * Checks after the insert what no single claim can exclude. A returned problem undoes the insert. If another
   * resource uses the new one already, it stays, and the problem names both.
   */
  verifyAfterInsert?(document: DocumentOf<Body>, context: RuleContext): Promise<Problem | null>;
  /** True if the caller may see and change it; false answers like an id that never was. */
  visible?(body: Body, principal: Principal): boolean;
  show(document: DocumentOf<Body>, context: ShowContext): JsonObject | Promise<JsonObject>;
  /** True: the engine shows the fields of `last-use.ts`. */
  readonly hasLastUse?: true;
  /** True: `show` reads other documents, so that the audit trail has the stored form. */
  readonly showsOthers?: true;
}

/** One resource of a live kind; `show` is called only for those that are on the page. */
export interface LiveEntry {
  readonly id: string;
  show(): JsonObject | Promise<JsonObject>;
}

export interface LiveAction extends ActionDefinition {
  /** Resolves when it is done, or as good as. Raises `Problem`. */
  run(id: string, context: ShowContext): Promise<void>;
}

/** A kind whose resources exist while an agent is online. The API cannot create or change them. */
export interface LiveKind extends KindSurface {
  readonly source: 'live';
  readonly name: LiveKindName;
  readonly actions?: readonly LiveAction[];
  /** Returns the live resources in any order. */
  entries(context: ShowContext): Promise<readonly LiveEntry[]> | readonly LiveEntry[];
  find(id: string, context: ShowContext): Promise<LiveEntry | null> | LiveEntry | null;
}

export type ResourceKind = StoredKind | LiveKind;
