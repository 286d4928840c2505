/**
 * What a resource kind is: one declarative definition from which routes, validation, OpenAPI, storage, reference checks and
 * tests derive. Never that it has what one kind needs alone: that stays in the kind's file.
 */

import type { ApiKeyGrant } from '../access/tokens.ts';
import type { EventStem } from '../core/event-types.ts';
import type { Settings } from '../core/settings.ts';
import type { TObject } from '../core/type.ts';
import type { DomainProofs } from '../dns/domain-proofs.ts';
import type { DocumentStore, KindName } from '../documents/index.ts';
import type { Problem } from '../errors/problem.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import type { OnlineTunnels } from '../online/online.ts';
import type { StoredDocument as AnyDocument, JsonObject, NameClaim } from '../store/store.ts';
import type { Group } from './groups.ts';

/** Who asks: the API key's owner. */
export interface Principal extends ApiKeyGrant {
  /** The address that the request came from. */
  readonly address: string;
}

/** What exists while something is online; the names of all other kinds are those of their documents. */
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

/** What can be taken off a resource: `DELETE <path>/{id}/<name>`. */
export interface Detachment {
  readonly name: string;
  /** Of the stored body; null there when nothing is attached. */
  readonly field: string;
  readonly summary: string;
}

/**
 * A list in a resource whose elements are addressed by a key of their own: `POST|GET <path>/{parameter}/<name>` and
 * `GET|PATCH|DELETE <path>/{parameter}/<name>/{key}`.
 */
export interface ElementsDefinition {
  readonly name: string;
  /** What the path calls the id of the resource, e.g. `subscription_id`. */
  readonly parameter: string;
  /** The field of an element that is its key, e.g. `type`. */
  readonly key: string;
  readonly schemaName: string;
  readonly summary: string;
  /** With its article: "a source of an event subscription". */
  readonly one: string;
  readonly create: TObject;
  readonly update: TObject;
  readonly read: TObject;
}

/** What is shown of a resource apart from itself: `GET <path>/{id}/<name>`. */
export interface ViewDefinition {
  readonly name: string;
  readonly schemaName: string;
  readonly summary: string;
  readonly read: TObject;
}

/** What a resource can be told to do: `POST <path>/{id}/<name>`. */
export interface ActionDefinition {
  readonly name: string;
  readonly summary: string;
  /** What it is answered with, with 200; absent: nothing, with 204. */
  readonly result?: { readonly schemaName: string; readonly read: TObject };
}

/** The part of a kind's definition that the API layer and OpenAPI use. The engine's hooks are added by `ResourceKind`. */
export interface KindSurface {
  /** E.g. `tls_edge`. */
  readonly name: string;
  /** Without the underscore, e.g. `edgtls`. */
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
  /** What it is for, in a sentence or two. */
  readonly description: string;
  /** What people look for it under. */
  readonly group: Group;
  /** With its article: "a TLS edge". */
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

/** What else a kind is called, where and with which ids; all other things of it are the kind's. A kind that has one has no parts below its resources. */
export type KindAlias = Pick<
  KindSurface,
  'name' | 'prefix' | 'path' | 'listKey' | 'schemaName' | 'summary' | 'description' | 'one'
> & {
  /** Of the body of a creation; can be made beside that of the kind. */
  readonly example: JsonObject;
};

/** The resources of a kind; of one that lives below another, those of one parent. */
export interface Collection {
  readonly kind: KindSurface;
  /** The id in the path of a kind that lives below another. */
  readonly parent?: string;
}

/** The engine as the API layer sees it. Every method raises `Problem`. Bodies are any JSON value: the engine validates. */
export interface ResourceEngine {
  readonly kinds: readonly KindSurface[];
  create(of: Collection, principal: Principal, body: unknown): Promise<JsonObject>;
  get(of: Collection, principal: Principal, id: string): Promise<JsonObject>;
  /** `items` newest first; `next` is the id to page on from, null on the last page. */
  list(
    of: Collection,
    principal: Principal,
    page: { readonly limit: number; readonly before?: string },
  ): Promise<{ readonly items: readonly JsonObject[]; readonly next: string | null }>;
  update(of: Collection, principal: Principal, id: string, body: unknown): Promise<JsonObject>;
  remove(of: Collection, principal: Principal, id: string): Promise<void>;
  putModule(
    of: Collection,
    principal: Principal,
    id: string,
    module: string,
    body: unknown,
  ): Promise<JsonObject>;
  getModule(of: Collection, principal: Principal, id: string, module: string): Promise<JsonObject>;
  removeModule(of: Collection, principal: Principal, id: string, module: string): Promise<void>;
  detach(of: Collection, principal: Principal, id: string, name: string): Promise<void>;
  view(of: Collection, principal: Principal, id: string, name: string): Promise<JsonObject>;
  /** Null for an action that has no result. */
  act(of: Collection, principal: Principal, id: string, name: string): Promise<JsonObject | null>;
  addElement(of: Collection, principal: Principal, id: string, body: unknown): Promise<JsonObject>;
  /** The last added first; `before` is the key of one of them. The limit may be infinite. */
  listElements(
    of: Collection,
    principal: Principal,
    id: string,
    page: { readonly limit: number; readonly before?: string },
  ): Promise<readonly JsonObject[]>;
  getElement(of: Collection, principal: Principal, id: string, key: string): Promise<JsonObject>;
  updateElement(
    of: Collection,
    principal: Principal,
    id: string,
    key: string,
    body: unknown,
  ): Promise<JsonObject>;
  removeElement(of: Collection, principal: Principal, id: string, key: string): Promise<void>;
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
  /** Whether the target may not be deleted while this stands. */
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
  /**
   * For creations: keeps what is live out of the way while the draft is written; the answered function is called when it is
   * written or refused. Raises `Problem` when something live is in the way already.
   */
  readonly suspend?: () => () => void;
}

/** Secrets at rest. `context` is where the secret belongs: moved elsewhere, it does not open. */
export interface Sealing {
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
}

/** What a kind's rules may look at. */
export interface RuleContext {
  readonly principal: Principal;
  /** The id in the path of a kind that lives below another, known to be one of the account; else ''. */
  readonly parent: string;
  readonly store: Pick<DocumentStore, 'get' | 'findName' | 'names' | 'page' | 'snapshot' | 'linksTo'>;
  readonly online: OnlineTunnels;
  readonly settings: Settings;
  readonly sealer: Sealing;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A reference to another resource, as it is shown. */
export type Ref = { readonly id: string; readonly uri: string };

/** What showing a resource may look at. */
export interface ShowContext {
  readonly account: string;
  readonly store: Pick<DocumentStore, 'get' | 'findName' | 'page'>;
  readonly online: OnlineTunnels;
  readonly settings: Settings;
  /** Of a resource of any kind, by the prefix of its id; `parent` for kinds that live below another. */
  ref(id: string, parent?: string): Ref;
}

/** What parsing a module may look at. */
export type ModuleContext<Config extends JsonObject = JsonObject> = Pick<
  RuleContext,
  'settings' | 'sealer' | 'now'
> & {
  readonly principal: Pick<Principal, 'account'>;
  /** What stands there and is about to be replaced. */
  readonly current: Config | null;
};

/**
 * A module whose configuration is the field of the same name in the stored body. `parse` is handed a validated body, and
 * the JSON pointer of where that stands in the request; `show` the id of the resource.
 */
export interface StoredModule<Config extends JsonObject = JsonObject, Input = unknown>
  extends ModuleDefinition {
  parse(input: Input, pointer: string, context: ModuleContext<Config>): Config | Promise<Config>;
  show(config: Config, context: ShowContext, id: string): JsonObject;
}

/** Elements that stand in the stored body; both functions raise `Problem`. */
export interface StoredElements<Body extends JsonObject = JsonObject, Create = unknown>
  extends ElementsDefinition {
  /** In the order in which they were added. */
  keys(body: Body): readonly string[];
  /** The key is a field of the same name in `input`. */
  add(body: Body, input: Create): Body;
  remove(body: Body, key: string): Body;
  /** Raised for a key that is not there; its text may name `key` and `id`. */
  readonly missing: ErrorNeeding<'id' | 'key'>;
  show(document: DocumentOf<Body>, key: string, context: ShowContext): JsonObject;
}

/** What views and actions may look at. */
export interface ActionContext extends RuleContext, ShowContext {
  readonly store: RuleContext['store'] & Pick<DocumentStore, 'queue' | 'countQueued'>;
  readonly proofs: Pick<DomainProofs, 'look'>;
}

/** A part that is derived whenever somebody looks at it. */
export interface StoredView<Body extends JsonObject = JsonObject> extends ViewDefinition {
  show(document: DocumentOf<Body>, context: ActionContext): Promise<JsonObject>;
}

export interface StoredAction<Body extends JsonObject = JsonObject> extends ActionDefinition {
  /** Answers its result, null where it has none. Raises `Problem`. */
  run(document: DocumentOf<Body>, context: ActionContext): Promise<JsonObject | null>;
}

/** What is about to be written: a creation has no `before`, a deletion no `after`. */
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
  /** What the types of its events begin with; null: nobody is told of what happens to it, and nothing else says so. */
  readonly eventStem: EventStem | null;
  readonly create: TObject;
  readonly update: TObject;
  readonly modules: readonly StoredModule[];
  readonly elements?: StoredElements<Body>;
  readonly views?: readonly StoredView<Body>[];
  readonly actions?: readonly StoredAction<Body>[];
  readonly references: readonly Reference[];
  /** Raised when somebody who is no admin creates, changes or deletes one; absent: members may. */
  readonly adminsOnly?: ErrorNeeding;
  /** What is wrong with its modules has the numbers of endpoint configurations. */
  readonly isConfiguration?: true;
  /** Raised when something that refers to the resource keeps it from being deleted. */
  readonly inUse?: ErrorNeeding<'id' | 'by'>;
  parse(input: Create, context: RuleContext): Promise<Draft<Body>> | Draft<Body>;
  /** An absent field of the patch is unchanged. */
  merge(document: DocumentOf<Body>, patch: Update, context: RuleContext): Promise<Draft<Body>> | Draft<Body>;
  /** Rules over the whole body, also after a module operation. */
  check?(body: Body): void;
  /**
   * The last look at what is about to be written, for rules that involve other resources or the caller. Answers the preconditions:
   * other resources of the account that it stands on. It is written only while they are as they were read, so that of two
   * changes at once, on whatever nodes, one looks again.
   */
  guard?(step: Step<Body>, context: RuleContext): Promise<readonly DocumentOf[]>;
  /** Other resources of the account that are deleted with one, and told of like it; not its children, which always are. */
  deletedWith?(document: DocumentOf<Body>, context: RuleContext): Promise<readonly DocumentOf[]>;
  /**
   * Shared by kinds that stand on each other's resources: one process does these operations of an account one after the other, so
   * that its own changes do not make each other start over.
   */
  readonly writeGroup?: { readonly name: string; readonly operations: readonly Operation[] };
  /** Names that only one resource may hold. */
  claims?(body: Body, account: string): readonly NameClaim[];
  /** What it means that another resource, of the own account or not, holds a claim; null: start over, with another name. */
  taken?(claim: NameClaim, own: boolean): Problem | null;
  /**
   * Looks once more, after the insert, for what no single claim can exclude; the problem found undoes the insert, unless
   * something uses the new resource already: that is left alone, and the caller is told of both.
   */
  verifyAfterInsert?(document: DocumentOf<Body>, context: RuleContext): Promise<Problem | null>;
  /** Whether the caller may see and change it; false answers like an id that never was. */
  visible?(body: Body, principal: Principal): boolean;
  show(document: DocumentOf<Body>, context: ShowContext): JsonObject | Promise<JsonObject>;
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

/** A kind whose resources exist while something is online: nobody creates or changes them through the API. */
export interface LiveKind extends KindSurface {
  readonly source: 'live';
  readonly name: LiveKindName;
  readonly actions?: readonly LiveAction[];
  /** In any order. */
  entries(context: ShowContext): Promise<readonly LiveEntry[]> | readonly LiveEntry[];
  find(id: string, context: ShowContext): Promise<LiveEntry | null> | LiveEntry | null;
}

export type ResourceKind = StoredKind | LiveKind;
