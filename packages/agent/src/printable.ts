/** Text from elsewhere, made safe for a terminal. */
const PATH_SHOWN = 256;

/** Text from elsewhere made safe for a terminal: control characters and what is not ASCII become `\xNN`. */
export function printable(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : text.replace(/[^\x20-\x7e]/g, escaped);
}

/** A request's path for a terminal: safe, and cut when it is very long. */
export function printablePath(path: string): string {
  return printable(path.length > PATH_SHOWN ? `${path.slice(0, PATH_SHOWN)}...` : path);
}

/** Messages of the service may have lines and be in any language; only what steers a terminal is taken out. */
export function printableMessage(message: string): string {
  return message.replace(/\r?\n/g, '\n').replace(STEERING, (it) => (it === '\n' ? it : escaped(it)));
}

/** A value of the service on one line of its own, in any language. */
export function printableLine(text: string): string {
  return text.replace(STEERING, escaped);
}

/** Control characters, line separators, and what reorders text. */
const STEERING = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
