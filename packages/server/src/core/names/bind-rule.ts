/**
 * Bind rules of tunnel credentials: the names, addresses and labels that an agent may bind (specification, section
 * 2.10).
 * Invariant: a rule of one kind has no effect on other kinds.
 */
import { type Hostname, type HostPattern, isFault, parseHostname, parseHostPattern } from './hostname.ts';
import { parsePort } from './hostport.ts';

export type BindRule =
  | { readonly kind: 'any' }
  | { readonly kind: 'name'; readonly hostname: Hostname }
  /** `suffix` begins with a dot, and covers every name that ends in it. */
  | { readonly kind: 'suffix'; readonly suffix: string }
  | { readonly kind: 'address'; readonly hostname: Hostname; readonly port: number }
  /** Null for `*`. */
  | { readonly kind: 'label'; readonly key: string | null; readonly value: string | null };

/** `type` is a rule type other than `bind`. `syntax` is a malformed rule, with the reason. */
export interface BindRuleFault {
  readonly fault: 'syntax' | 'type';
  readonly reason: string;
}

export function isBindRuleFault(value: BindRule | BindRuleFault): value is BindRuleFault {
  return 'fault' in value;
}

/** Parses the forms of the specification. `bind:*` alone is refused, because `*` has this meaning already. */
export function parseBindRule(text: string): BindRule | BindRuleFault {
  if (text === '*') return { kind: 'any' };
  const colon = text.indexOf(':');
  if (colon === -1) return syntax('it has no "bind:" in front');
  if (text.slice(0, colon) !== 'bind') return { fault: 'type', reason: 'only "bind" rules exist' };
  const subject = text.slice(colon + 1);
  if (subject.includes('=')) return parseLabelRule(subject);
  if (subject.includes(':')) return parseAddressRule(subject);
  return subject.startsWith('*.') ? parseSuffixRule(subject) : parseNameRule(subject);
}

function parseLabelRule(subject: string): BindRule | BindRuleFault {
  const parts = subject.split('=');
  const [key, value] = parts;
  if (key === undefined || value === undefined || parts.length !== 2) {
    return syntax('a label has one "=" only');
  }
  if (key === '' || value === '') return syntax('the key or the value of the label is empty');
  if ((key !== '*' && key.includes('*')) || (value !== '*' && value.includes('*'))) {
    return syntax('a "*" stands for the whole key or the whole value only');
  }
  return { kind: 'label', key: key === '*' ? null : key, value: value === '*' ? null : value };
}

function parseAddressRule(subject: string): BindRule | BindRuleFault {
  const colon = subject.lastIndexOf(':');
  const hostname = parseHostname(subject.slice(0, colon));
  const port = parsePort(subject.slice(colon + 1));
  if (isFault(hostname)) return syntax('the host of the address is no host name');
  if (port === null) return syntax('the port of the address is not from 1 to 65535');
  return { kind: 'address', hostname, port };
}

/** Parses a suffix, which may be a single label (`*.com`), unlike a reservation. */
function parseSuffixRule(subject: string): BindRule | BindRuleFault {
  const pattern = parseHostPattern(subject);
  if (!isFault(pattern)) return { kind: 'suffix', suffix: pattern.slice(1) };
  const example = parseHostname(`a${subject.slice(1)}`);
  return isFault(example)
    ? syntax('what follows "*." is no host name')
    : { kind: 'suffix', suffix: example.slice(1) };
}

function parseNameRule(subject: string): BindRule | BindRuleFault {
  const hostname = parseHostname(subject);
  return isFault(hostname) ? syntax('it names no domain') : { kind: 'name', hostname };
}

function syntax(reason: string): BindRuleFault {
  return { fault: 'syntax', reason };
}

/** Returns true if all names of the pattern may be bound. An empty list of rules permits everything. */
export function permitsHostname(rules: readonly BindRule[], pattern: HostPattern): boolean {
  if (rules.length === 0) return true;
  return rules.some((rule) => {
    if (rule.kind === 'any') return true;
    if (rule.kind === 'name') return (rule.hostname as string) === pattern;
    return rule.kind === 'suffix' && withinSuffix(rule.suffix, pattern);
  });
}

/** Returns true if an address may be bound. A random one needs a rule that permits everything. */
export function permitsAddress(
  rules: readonly BindRule[],
  address: { readonly hostname: Hostname; readonly port: number } | null,
): boolean {
  if (rules.length === 0) return true;
  return rules.some((rule) => {
    if (rule.kind === 'any') return true;
    return rule.kind === 'address' && rule.hostname === address?.hostname && rule.port === address.port;
  });
}

/** `.b` contains `a.b`, `*.b` and `*.a.b`; never `b`, and never `xb`. */
function withinSuffix(suffix: string, pattern: HostPattern): boolean {
  return pattern.length > suffix.length && pattern.endsWith(suffix);
}

/** Returns true if a tunnel may have all of these labels. Each one needs a rule; an empty list permits everything. */
export function permitsLabels(rules: readonly BindRule[], labels: ReadonlyMap<string, string>): boolean {
  if (rules.length === 0 || rules.some((rule) => rule.kind === 'any')) return true;
  if (labels.size === 0) return false;
  for (const [key, value] of labels) {
    if (!rules.some((rule) => permitsLabel(rule, key, value))) return false;
  }
  return true;
}

function permitsLabel(rule: BindRule, key: string, value: string): boolean {
  if (rule.kind !== 'label') return false;
  return (rule.key === null || rule.key === key) && (rule.value === null || rule.value === value);
}
