/** Matches a line that opens so many blockquotes and lists. */
export function openedOnOneLine(count: number): RegExp {
  return new RegExp(`^[ \\t]*(?:>[ \\t]*|(?:[*+-]|\\d{1,9}[.)])[ \\t]+){${count}}`, 'm');
}
