/** A JSON value for a message, shortened to 80 characters; undefined is "missing". */
export function shownValue(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77).toWellFormed()}…` : text;
}
