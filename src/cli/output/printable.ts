/** Characters that control a terminal, end a line, or change the order in which others are shown. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * A line with such characters escaped, as `\x1b` or `\u202e`: a name of a file or a bot may hold any character, and
 * must neither control the terminal nor look like another line or name.
 */
export function printable(line: string): string {
  return line.replace(UNPRINTABLE, (character) => {
    const code = hex(character);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
}

/** A text of several lines whose control characters are replaced; offsets into it stay valid. */
export function printableText(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd');
}

/** JSON with the control characters escaped that JSON allows in a string: DEL and those from U+0080. */
export function printableJson(json: string): string {
  return json.replace(/[\x7f-\x9f]/g, (character) => `\\u${hex(character).padStart(4, '0')}`);
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16);
}
