/**
 * JSON Schema patterns of texts, for readers of the document and generators of requests. The rule of a field decides.
 * Invariant: a pattern accepts everything that the rule accepts. Patterns have no look-around, which some validators
 * lack.
 */

/** A word of letters and digits, however it is written. */
export function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}

const SPACE = '\\s*';
const END = '[A-Za-z0-9]';
const INNER = '[A-Za-z0-9-]';
/** All characters beyond ASCII; tables decide which of them a name may have. */
const BEYOND = '[^\\x00-\\x7f]';
/** A label that is encoded may begin and end with anything. There is one way only to read a label, so that no text takes long. */
const ENCODED = `${INNER}{0,62}${BEYOND}(?:${INNER}|${BEYOND}){0,62}`;
const LABEL = `(?:${END}(?:${INNER}{0,61}${END})?|${ENCODED})`;
/** The last label begins with a letter, because some parsers read a leading digit as a number. */
const LAST_LABEL = `(?:[A-Za-z](?:${INNER}{0,61}${END})?|${ENCODED})`;
const HOSTNAME = `(?:(?:${LABEL}\\.)+${LAST_LABEL}|${anyCase('localhost')})\\.?`;
const WILDCARD = `\\*\\.(?:${LABEL}\\.)+${LAST_LABEL}\\.?`;
const PORT = '(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';
const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const IPV4 = `(?:${OCTET}\\.){3}${OCTET}`;
const IPV6 = ipv6();

/** RFC 4291, section 2.2: eight groups, or fewer with one "::"; the last two may be written as an IPv4 address. */
function ipv6(): string {
  const group = '[0-9A-Fa-f]{1,4}';
  const end = `(?:${group}:${group}|${IPV4})`;
  const shortened = Array.from({ length: 8 }, (_, before) => {
    const left = before === 0 ? '' : `(?:${group}:){${before - 1}}${group}`;
    const dotted = before > 5 ? '' : `|(?:${group}:){0,${5 - before}}${IPV4}`;
    const right = before > 6 ? '' : `(?:(?:${group}:){0,${6 - before}}${group}${dotted})?`;
    return `${left}::${right}`;
  });
  return `(?:(?:${group}:){6}${end}|${shortened.join('|')})`;
}

const OBJECT = "A-Za-z0-9!_*'()=-";
/** Neither empty nor a way up or nowhere, which servers between would take out of a path. */
const OBJECT_SEGMENT = `(?:[${OBJECT}][.${OBJECT}]*|\\.[${OBJECT}][.${OBJECT}]*|\\.\\.[.${OBJECT}]+)`;

/** A hostport of a domain. `ports`: the ones that the daemon serves; absent: any. */
export function domainHostport(ports?: readonly number[]): string {
  const port = ports === undefined ? PORT : `(?:${ports.join('|')})`;
  return `^${SPACE}(?:${HOSTNAME}|${WILDCARD}):${port}${SPACE}$`;
}

/** The names of reserved addresses begin with a digit and "tcp", in any letters that IDNA reads as these. */
const TCP_NAME = `(?:[0-9]|${ENCODED})\\.(?:${anyCase('tcp')}|${ENCODED})\\.${HOSTNAME}`;

export const patterns = {
  /** Nothing can be given. */
  nothing: '^$',
  /** A whole name, or one label; a whole name may begin with `*.`. */
  domainOrLabel: `^${SPACE}(?:${HOSTNAME}|${WILDCARD}|${LABEL})${SPACE}$`,
  domain: `^${SPACE}(?:(?:${LABEL}\\.)+${LAST_LABEL}\\.?|${anyCase('localhost')}\\.|${WILDCARD})${SPACE}$`,
  hostname: `^${SPACE}${HOSTNAME}${SPACE}$`,
  hostport: domainHostport(),
  /** A reserved address. */
  addressHostport: `^${SPACE}${TCP_NAME}:${PORT}${SPACE}$`,
  /** An address that can be dialled. */
  address: `^${SPACE}(?:${HOSTNAME}|${IPV4}|\\[${IPV6}\\]):${PORT}${SPACE}$`,
  cidr: `^(?:${IPV4}/(?:3[0-2]|[12]?[0-9])|${IPV6}/(?:12[0-8]|1[01][0-9]|[1-9]?[0-9]))$`,
  bindRule: `^(?:\\*|bind:(?:(?:\\*|[^=*]+)=(?:\\*|[^=*]+)|${HOSTNAME}(?::${PORT})?|\\*\\.(?:${LABEL}\\.)*${LAST_LABEL}\\.?))$`,
  /** A path of requests or the beginning of one, decoded. */
  path: '^/(?:[^\\x00-\\x1f\\x7f?#/\\\\]+/)*[^\\x00-\\x1f\\x7f?#/\\\\]*$',
  headerName: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$",
  headerValue: '^[\\t\\x20-\\x7e]{0,4096}$',
  /** A text without control characters; spaces around it do not count. */
  name: '^\\s*[^\\s\\x00-\\x1f\\x7f-\\x9f](?:[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f])?\\s*$',
  /** Text without `=`, which separates a label's key and value. */
  labelPart: '^[^=]{1,255}$',
  email: '^(?:[^\\s@\\x00-\\x1f\\x7f]+@[^\\s@\\x00-\\x1f\\x7f]+)?$',
  time: '^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$',
  principal: '^[^\\s,\\x00-\\x1f\\x7f]{1,255}$',
  sshOptionName: '^[!-~]{1,255}$',
  sshOptionValue: '^[^\\x00]{0,4096}$',
  cookiePrefix: '^[A-Za-z0-9.]*$',
  /** Secret of an event target; "" for the stored one. */
  secret: '^[!-~]*$',
  word: '^[A-Za-z0-9_]+$',
  /** Text without a slash that is more than spaces. */
  notPath: '^[^/]*[^\\s/][^/]*$',
  /** Prefix of object names in a bucket: characters that need little or no encoding in a path. */
  objectPrefix: `^(?:${OBJECT_SEGMENT}/)*${OBJECT_SEGMENT}?$`,
  plainUri: '^https://[!-"$-.0->A-\\[\\]-~][!-"$->A-\\[\\]-~]*$',
} as const;
