/** Look-ups of what names and ports lead to. Called per request: cheap. */
import type { Hostname, HostPattern } from '../../core/names/hostname.ts';
import type { Site } from './site.ts';

export interface Sites {
  /** Exact name, then the longest wildcard; undefined for a name that does not exist. */
  lookup(hostname: Hostname): Site | undefined;
}

/** Sites without TLS. */
export interface PlainSites {
  /**
   * Exact name, then the longest wildcard: the first that anything has decides. Undefined where that is served with TLS alone, and
   * for a name that does not exist.
   */
  lookupPlain(hostname: Hostname): Site | undefined;
}

/** Sites that report changes, so that open connections are checked again. */
export interface LiveSites extends Sites {
  /**
   * Called after each change that may make a look-up answer otherwise: of names that the pattern stands for, or of any (null). A site that
   * stays the same object is unchanged.
   */
  onChange(listener: (pattern: HostPattern | null) => void): void;
}

/** The sites of TCP ports. */
export interface PortSites {
  /** Ports with a site; a new set after each change. */
  readonly ports: ReadonlySet<number>;
  /** Called after each change of `ports`, in the turn in which it comes. */
  onPorts(listener: () => void): void;
  atPort(port: number): Site | undefined;
}
