/** Control characters, line separators, and what reorders text. */
const STEERING = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** Text from elsewhere, in any language, on one line of a terminal that it does not steer. */
export function printableLine(text: string): string {
  return text.replace(STEERING, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length < 3 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
}
