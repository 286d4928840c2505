/**
 * What the daemon answers to a question: TXT records of one zone, and what every zone has. Pure. Never that anything is said about a name
 * outside of it.
 */
import type { Answer, SoaAnswer } from 'dns-packet';
import type { Hostname } from '../core/hostname.ts';

/** Seconds that an answer may be kept for: the next order has other texts. */
const textSeconds = 1;
const zoneSeconds = 3600;

export interface Zone {
  readonly name: Hostname;
  /** Which the operator delegates the zone to. */
  readonly nameServer: Hostname;
  /** By name, in lower case. All of them are right below the zone's. */
  readonly texts: { get(name: string): readonly string[] | undefined };
}

export type ZoneAnswer =
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'no-such-name'; readonly authorities: readonly Answer[] }
  | {
      readonly outcome: 'found';
      readonly answers: readonly Answer[];
      readonly authorities: readonly Answer[];
    };

export interface ZoneQuestion {
  readonly name: string;
  readonly type: string;
  readonly class?: string | undefined;
}

/** No transfers, and no other class than the one of the internet. */
export function answerQuestion(zone: Zone, { name, type, class: questionClass }: ZoneQuestion): ZoneAnswer {
  const asked = lowerCase(name);
  const isInZone = asked === zone.name || asked.endsWith(`.${zone.name}`);
  if (!isInZone || questionClass !== 'IN' || type === 'AXFR' || type === 'IXFR')
    return { outcome: 'refused' };
  if (asked === zone.name) {
    const answers = apexRecords(zone, name).filter((record) => record.type === type || type === 'ANY');
    return { outcome: 'found', answers, authorities: answers.length === 0 ? [startOfAuthority(zone)] : [] };
  }
  const texts = zone.texts.get(asked);
  if (texts === undefined) return { outcome: 'no-such-name', authorities: [startOfAuthority(zone)] };
  if (type !== 'TXT' && type !== 'ANY')
    return { outcome: 'found', answers: [], authorities: [startOfAuthority(zone)] };
  const answers = texts.map((data): Answer => ({ name, type: 'TXT', ttl: textSeconds, data }));
  return { outcome: 'found', answers, authorities: [] };
}

function apexRecords(zone: Zone, name: string): readonly Answer[] {
  const nameServer: Answer = { name, type: 'NS', ttl: zoneSeconds, data: zone.nameServer };
  return [{ ...startOfAuthority(zone), name, ttl: zoneSeconds }, nameServer];
}

/** RFC 2308, section 3: the lower one of TTL and minimum says how long a name is remembered as missing. */
function startOfAuthority({ name, nameServer }: Zone): SoaAnswer {
  const data = {
    mname: nameServer,
    rname: `hostmaster.${name}`,
    // No other server copies the zone, so that nobody compares it.
    serial: 1,
    refresh: 3600,
    retry: 600,
    expire: 86_400,
    minimum: textSeconds,
  };
  return { name, type: 'SOA', ttl: textSeconds, data };
}

/** As DNS compares names: nothing but A to Z has another case (RFC 4343). */
function lowerCase(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
