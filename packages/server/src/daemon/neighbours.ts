/** Wires the edge to the links of other daemons: their visitors come to tunnels of this one. */
import { hostname } from 'node:os';
import type { IpAddress } from '../core/ip/ip-address.ts';
import { isTcpPort } from '../core/names/bind-target.ts';
import type { Edge, EdgeOptions } from '../edge/edge.ts';
import { LinkStream } from '../link/peers.ts';
import type { Ingress } from '../tunnels/ingress.ts';
import { isDoorOf } from './doors.ts';

/** Milliseconds for which visitors wait for an agent that was lost, like after a restart. */
const AGENT_RETURNS_MS = 10_000;
/** Idle streams that are given back at once. */
const GIVEN_BACK = 32;

interface GiveBack {
  readonly session: string;
}

/** The part of the options of the edge for other daemons; none if there are none. */
export function neighboursOf({ peers, directory }: Ingress): Pick<EdgeOptions, 'neighbours'> {
  if (peers === null || directory === null) return {};
  const giveBack = (session: string, incarnations: Iterable<number>): void => {
    const asked: GiveBack = { session };
    // A daemon without a link has no streams any more.
    for (const one of incarnations)
      void peers
        .get(one)
        ?.call(LinkStream.giveBack, asked)
        .catch(() => {});
  };
  const machine = hostname();
  const isDoor = (address: IpAddress, port: number, ports: ReadonlySet<number>): boolean => {
    const isOpen = (one: number) => ports.has(one);
    return [...directory.nodes.values()].some((node) => isDoorOf(node, machine, [address, port], isOpen));
  };
  const isIsolated = (): boolean => directory.isolated.is;
  return { neighbours: { tunnelOf: (number) => directory.tunnelOf(number), giveBack, isIsolated, isDoor } };
}

/** Serves visitors of other daemons at the edge. Call it before the first link is needed. */
export function serveNeighbours(ingress: Ingress, edge: Edge): void {
  const { peers } = ingress;
  if (peers === null) return;
  peers.serve(LinkStream.hop, (stream, from) => edge.acceptHop(stream, from));
  peers.answer(LinkStream.giveBack, (body) => {
    edge.giveBack((body as GiveBack).session, GIVEN_BACK);
    return {};
  });
  ingress.whenLost((name) => {
    if (!isTcpPort(name)) edge.expectAgentAt(name, AGENT_RETURNS_MS);
  });
}
