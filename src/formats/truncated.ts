/** At most so many UTF-16 code units of a text, without half of a surrogate pair at its end. */
export function truncated(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}
