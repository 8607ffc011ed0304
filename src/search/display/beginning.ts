/** Characters of a text that are read for its reader: the time and memory of some steps grow with their square. */
export const MAX_TEXT = 4_000;

/** At most 4,000 characters, up to the end of a line if it is not far; a pair of surrogates stays whole. */
export function beginningOf(text: string): string {
  if (text.length <= MAX_TEXT) return text.toWellFormed();
  const lineEnd = text.lastIndexOf('\n', MAX_TEXT);
  const end = lineEnd > MAX_TEXT / 2 ? lineEnd : MAX_TEXT;
  const splits = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(end - 1, end + 1));
  return text.slice(0, splits ? end - 1 : end).toWellFormed();
}
