/**
 * Characters of a text that `shownText`, `shownHtml` and `highlight` read: the time and memory of some steps grow with
 * their square. Pass a longer text in parts.
 */
export const MAX_SHOWN_TEXT = 4_000;

/**
 * The beginning of a text that is read: at most `MAX_SHOWN_TEXT` characters, up to the end of a line if one ends in the
 * second half. Splits no surrogate pair; lone surrogates are replaced.
 */
export function beginningOf(text: string): string {
  if (text.length <= MAX_SHOWN_TEXT) return text.toWellFormed();
  const lineEnd = text.lastIndexOf('\n', MAX_SHOWN_TEXT);
  const end = lineEnd > MAX_SHOWN_TEXT / 2 ? lineEnd : MAX_SHOWN_TEXT;
  const splits = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(end - 1, end + 1));
  return text.slice(0, splits ? end - 1 : end).toWellFormed();
}
