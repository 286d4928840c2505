/**
 * Responses of the daemon as a name server: TXT records of one zone, and the records of every zone. Pure.
 * Invariant: responses contain no name outside the zone.
 */
import type { Answer, SoaAnswer } from 'dns-packet';
import type { Hostname } from '../core/names/hostname.ts';

/** Seconds that an answer may be kept for: the next order has other texts. */
const textSeconds = 1;
const zoneSeconds = 3600;

export interface Zone {
  readonly name: Hostname;
  /** Name server of the operator's delegation. */
  readonly nameServer: Hostname;
  /** Texts by name, in lower case. All names are directly below the zone. */
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

/** RFC 2308, section 3: a missing name is cached for the smaller one of TTL and minimum. */
function startOfAuthority({ name, nameServer }: Zone): SoaAnswer {
  const data = {
    mname: nameServer,
    rname: `hostmaster.${name}`,
    // No other server copies the zone, so the serial is never compared.
    serial: 1,
    refresh: 3600,
    retry: 600,
    expire: 86_400,
    minimum: textSeconds,
  };
  return { name, type: 'SOA', ttl: textSeconds, data };
}

/** Case as in DNS: only A to Z have another one (RFC 4343). */
function lowerCase(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
