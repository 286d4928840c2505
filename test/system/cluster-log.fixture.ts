/**
 * The log of a chaos run, and the rules that it must follow. Every response names the bind that served it.
 * All times are milliseconds of one clock.
 */

export interface LoggedBind {
  readonly number: number;
  readonly name: string;
  readonly credential: string;
  /** Index of the daemon of its agent. */
  readonly daemon: number;
  /** The moment before the request was sent. */
  readonly askedAt: number;
  /** The moment at which the response came; null: it was refused, or no response came. */
  grantedAt: number | null;
  /** The moment at which the response to its unbind came; null: none came. */
  endedAt: number | null;
}

export interface LoggedVisit {
  readonly name: string;
  readonly path: string;
  /** Index of the daemon that the visitor came to. */
  readonly daemon: number;
  /** The moment before the request was sent. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Body of a response with status 200: `CREDENTIAL NUMBER PATH`. */
  readonly text: string;
}

export interface ClusterLog {
  readonly binds: readonly LoggedBind[];
  readonly visits: readonly LoggedVisit[];
}

/** Describes each visit that breaks a rule. */
export function violations({ binds, visits }: ClusterLog): readonly string[] {
  const byNumber = new Map(binds.map((bind) => [bind.number, bind]));
  const grants = Map.groupBy(
    binds.filter(({ grantedAt }) => grantedAt !== null),
    ({ name }) => name,
  );
  return visits.flatMap((visit) => {
    const [credential = '', number = '', path = ''] = visit.text.split(' ');
    const bind = byNumber.get(Number(number));
    const rule =
      bind === undefined || bind.credential !== credential || bind.name !== visit.name || path !== visit.path
        ? 'the response of another tunnel or request'
        : brokenRule(bind, visit, grants.get(visit.name) ?? []);
    return rule === null ? [] : [`${rule}: ${JSON.stringify({ visit, bind })}`];
  });
}

function brokenRule(bind: LoggedBind, visit: LoggedVisit, grants: readonly LoggedBind[]): string | null {
  if (bind.endedAt !== null && bind.endedAt < visit.startedAt)
    return 'the response of a tunnel that had ended';
  const newer = grants.find((grant) => isSuccessor(grant, bind) && grant.grantedAt! < visit.startedAt);
  return newer === undefined ? null : `another credential had the name (bind ${newer.number})`;
}

/** Returns true if another credential requested the name after this bind was granted, and got it. */
function isSuccessor(grant: LoggedBind, bind: LoggedBind): boolean {
  return grant.credential !== bind.credential && bind.grantedAt !== null && grant.askedAt > bind.grantedAt;
}

/** Number of visits of a tunnel at another daemon. */
export function hops({ binds, visits }: ClusterLog): number {
  const daemons = new Map(binds.map(({ number, daemon }) => [String(number), daemon]));
  return visits.filter(({ daemon, text }) => daemons.get(text.split(' ')[1] ?? '') !== daemon).length;
}

/** Number of times that a name went from one credential to another one. */
export function handovers(binds: readonly LoggedBind[]): number {
  const granted = binds.filter(({ grantedAt }) => grantedAt !== null);
  const inOrder = granted.sort((a, b) => a.grantedAt! - b.grantedAt!);
  const ofNames = [...Map.groupBy(inOrder, ({ name }) => name).values()];
  const changes = (of: readonly LoggedBind[]) =>
    of.filter((bind, at) => at > 0 && of[at - 1]!.credential !== bind.credential).length;
  return ofNames.reduce((sum, of) => sum + changes(of), 0);
}
