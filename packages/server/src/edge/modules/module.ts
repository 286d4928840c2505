/**
 * The interface of the edge's modules: they compile their stored configuration into parts of a route.
 * Invariant: modules are applied only through these parts.
 */
import type { Look } from '../sites/look.ts';
import type {
  AnswerWatch,
  BodyStage,
  Converter,
  ExplainedBodyGuard,
  ExplainedGuard,
  HeadEdit,
} from '../sites/site.ts';

/** The parts that a module adds to its route. */
export interface RouteParts {
  readonly guards?: readonly ExplainedGuard[];
  readonly bodyGuards?: readonly ExplainedBodyGuard[];
  /** Its guards look after the backend and keep no visitor out. */
  readonly isForBackend?: true;
  readonly requestEdits?: readonly HeadEdit[];
  readonly responseEdits?: readonly HeadEdit[];
  readonly bodyStages?: readonly BodyStage[];
  readonly watches?: readonly AnswerWatch[];
  readonly converter?: Converter;
}

export interface Compilation {
  readonly look: Look;
  /** Account of the configuration. */
  readonly account: string;
  /** The route, over restarts and on every daemon: cookies and tokens are valid for it alone. */
  readonly place: string;
  /** The id of the document with the module: the route, the edge, or the endpoint configuration. */
  readonly carrier: string;
  /** Parts of the same configuration from the last compilation, in front of the same backend: for modules with a memory. */
  readonly before: RouteParts | undefined;
}

export interface EdgeModule<Config> {
  /** Called only for a configuration that is enabled. Pure, but for `before`. */
  compile(config: Config, compilation: Compilation): RouteParts;
}
