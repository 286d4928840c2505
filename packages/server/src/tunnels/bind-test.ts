/** Judges binds that no agent requests, by the rules of real ones. */
import { type BindRule, permitsAddress, permitsHostname, permitsLabels } from '../core/names/bind-rule.ts';
import type { Target } from '../core/names/bind-target.ts';
import { Problem } from '../errors/problem.ts';
import type { TunnelProtocol } from '../online/tunnel-facts.ts';
import type { AddressOwners } from './addresses.ts';
import { type NameOwners, type PublicAddress, randomName } from './names.ts';
import { shown } from './options/fields.ts';
import { type TargetRequester, targetDenial, wantedTarget } from './target.ts';

export interface BindTest {
  readonly account: string;
  /** Id of the credential, for the texts of errors. */
  readonly credential: string;
  /** Empty: everything is permitted. */
  readonly rules: readonly BindRule[];
  /** Host name, URL, `tcp://` with or without an address, or labels `key=value,…`. */
  readonly bind: string;
}

export interface BindVerdict {
  readonly kind: 'name' | 'address' | 'labels';
  /** The target in canonical form; '' for a random one. */
  readonly target: string;
  /** Index of the first rule that permits it; null if none does, or there are no rules. */
  readonly rule: number | null;
  /** Null: the credential may bind it. */
  readonly denial: Problem | null;
}

/** Digits of a random name. */
const RANDOM_DIGITS = 12;

type Owners = NameOwners & AddressOwners;

/** Online tunnels of others have no part in the verdict. Raises Problem for a text that names nothing to bind. */
export function judgeBind(test: BindTest, service: PublicAddress, owners: Owners): BindVerdict {
  const bind = test.bind.trim();
  if (bind === '') throw new Problem('bindTestEmpty', {}, { field: '/bind' });
  const scheme = /^([a-z]+):\/\//i.exec(bind)?.[1]?.toLowerCase();
  if (scheme === undefined && bind.includes('=')) return judgeLabels(test, labelsIn(bind));
  if (scheme === undefined && /:\d+$/.test(bind)) return judgeTarget(test, 'tcp', bind, service, owners);
  const proto = protocolOf(scheme ?? 'https');
  return judgeTarget(test, proto, bind, service, owners);
}

function judgeTarget(
  { account, credential, rules }: BindTest,
  proto: TunnelProtocol,
  url: string,
  service: PublicAddress,
  owners: Owners,
): BindVerdict {
  const requester: TargetRequester = {
    ...{ account, credential },
    permits: (name) => permitsHostname(rules, name),
    permitsAddress: (address) => permitsAddress(rules, address),
  };
  const requested = { proto, url, domain: '', hostname: '', subdomain: '', addr: '' };
  const target = wantedTarget(requested, service, null);
  if (target === null) return judgeRandom(proto, requester, rules, service, owners);
  const { kind, text } = target;
  const permits = (some: readonly BindRule[]) =>
    target.kind === 'address' ? permitsAddress(some, target) : permitsHostname(some, target.hostname);
  const denial = targetDenial(target, requester, service, owners) ?? choiceDenial(target, owners);
  return { kind, target: text, rule: indexOf(rules, permits), denial };
}

/** Only a reserved address may be chosen. */
function choiceDenial(target: Target, owners: Owners): Problem | null {
  if (target.kind === 'name' || owners.reservedAddress(target.port) !== undefined) return null;
  return new Problem('bindAddressNotReserved', { name: target.text });
}

function judgeRandom(
  proto: TunnelProtocol,
  requester: TargetRequester,
  rules: readonly BindRule[],
  service: PublicAddress,
  owners: Owners,
): BindVerdict {
  if (proto === 'tcp') {
    const permits = (some: readonly BindRule[]) => permitsAddress(some, null);
    const { credential } = requester;
    const denial = permits(rules) ? null : new Problem('bindRandomAddressNotPermitted', { credential });
    return { kind: 'address', target: '', rule: indexOf(rules, permits), denial };
  }
  try {
    const name = randomName(
      requester,
      service,
      owners,
      () => true,
      () => '0'.repeat(RANDOM_DIGITS),
    );
    const rule = indexOf(rules, (some) => permitsHostname(some, name));
    return { kind: 'name', target: '', rule, denial: null };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { kind: 'name', target: '', rule: null, denial: error };
  }
}

function judgeLabels({ credential, rules }: BindTest, labels: ReadonlyMap<string, string>): BindVerdict {
  const permits = (some: readonly BindRule[]) =>
    [...labels].some((label) => permitsLabels(some, new Map([label])));
  const target = [...labels].map((label) => label.join('=')).join(',');
  const refused = [...labels].find((label) => !permitsLabels(rules, new Map([label])));
  const denial =
    refused === undefined
      ? null
      : new Problem('bindLabelNotPermitted', { credential, label: shown(refused.join('=')) });
  return { kind: 'labels', target, rule: denial === null ? indexOf(rules, permits) : null, denial };
}

function indexOf(rules: readonly BindRule[], permits: (some: readonly BindRule[]) => boolean): number | null {
  const index = rules.findIndex((rule) => permits([rule]));
  return index === -1 ? null : index;
}

function labelsIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(',').map((label): [string, string] => {
      const [key = '', ...value] = label.trim().split('=');
      if (key === '' || value.length !== 1 || value[0] === '')
        throw new Problem('bindTestEmpty', {}, { field: '/bind' });
      return [key, value.join('=')];
    }),
  );
}

function protocolOf(scheme: string): TunnelProtocol {
  if (scheme === 'tcp' || scheme === 'tls' || scheme === 'http') return scheme;
  return 'https';
}
