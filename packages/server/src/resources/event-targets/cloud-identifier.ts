/** Identifiers of cloud resources: `arn:<partition>:<service>:<region>:<account>:<resource>`. Pure. */

const partition = /^[a-z][a-z0-9-]*$/;
const region = /^[a-z]+(-[a-z0-9]+)+$/;
const account = /^\d{12}$/;
/** Nothing that ends a line or that the cloud would not take in a name. */
const NAME = '[A-Za-z0-9_+=,.@/#-]+';

/** Name of a kind of resource in an identifier. */
export interface CloudResource {
  /** Name for readers. */
  readonly called: string;
  readonly service: string;
  /** Beginning of the last part; a name follows. */
  readonly resource: string;
  /** Text after the name. */
  readonly suffix?: string;
  /** Pattern of names, if it differs from the usual one. */
  readonly name?: string;
  /** The identifier contains no region. */
  readonly global?: true;
  /** The identifier contains no account. */
  readonly unowned?: true;
}

/** Regions that are in one partition alone, by how they begin. Partitions that are not named here may have any other region. */
const ownRegions: readonly (readonly [prefix: string, partition: string])[] = [
  ['cn-', 'aws-cn'],
  ['us-gov-', 'aws-us-gov'],
  ['us-iso-', 'aws-iso'],
  ['us-isob-', 'aws-iso-b'],
];

/** The partition that the region of an identifier is in, if the identifier names another one; null if they agree. */
export function otherPartition(identifier: string): string | null {
  const [, inPartition = '', , inRegion = ''] = identifier.split(':');
  if (inRegion === '') return null;
  const [, owner = null] = ownRegions.find(([prefix]) => inRegion.startsWith(prefix)) ?? [];
  if (owner !== null) return owner === inPartition ? null : owner;
  const isOwner = ownRegions.some(([, partition]) => partition === inPartition);
  return isOwner ? 'aws' : null;
}

export type CloudIdentifierFault = 'form' | 'partition' | 'service' | 'region' | 'account' | 'resource';

/**
 * Returns the first part of an identifier that does not fit the resource; null if all fit. Any partition is accepted,
 * because the cloud may add some.
 */
export function faultOf(identifier: string, expected: CloudResource): CloudIdentifierFault | null {
  const [scheme, inPartition = '', service, inRegion = '', inAccount = '', ...rest] = identifier.split(':');
  if (scheme !== 'arn' || rest.length === 0) return 'form';
  if (!partition.test(inPartition)) return 'partition';
  if (service !== expected.service) return 'service';
  if (expected.global ? inRegion !== '' : !region.test(inRegion)) return 'region';
  if (expected.unowned ? inAccount !== '' : !account.test(inAccount)) return 'account';
  return isNamed(rest.join(':'), expected) ? null : 'resource';
}

/** Returns the pattern of identifiers of such a resource. */
export function patternOf({
  service,
  resource,
  name = NAME,
  suffix = '',
  global,
  unowned,
}: CloudResource): string {
  const at = global ? '' : '[a-z]+(?:-[a-z0-9]+)+';
  const owner = unowned ? '' : '[0-9]{12}';
  const end = suffix === '' ? '' : `(?:${suffix.replaceAll('*', '\\*')})?`;
  return `^arn:[a-z][a-z0-9-]*:${service}:${at}:${owner}:${resource}${name}${end}$`;
}

function isNamed(text: string, { resource, name = NAME, suffix = '' }: CloudResource): boolean {
  if (!text.startsWith(resource)) return false;
  const named = text.slice(resource.length);
  const bare = suffix !== '' && named.endsWith(suffix) ? named.slice(0, -suffix.length) : named;
  return new RegExp(`^${name}$`).test(bare);
}
