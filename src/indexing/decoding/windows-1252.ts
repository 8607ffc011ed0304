/**
 * The characters of Windows-1252 from 0x80 to 0x9f, where ISO-8859-1 has control characters; a space stands for a byte
 * without a character. `TextDecoder` is not used: in some versions of Node.js it reads these bytes as ISO-8859-1.
 */
const FROM_80 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** The text of bytes in Windows-1252. A byte without a character is a control character, as in browsers. */
export function fromWindows1252(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return latin1.replace(/[\u0080-\u009f]/g, (it) => (FROM_80[it.charCodeAt(0) - 0x80] ?? ' ').replace(' ', it));
}
