/**
 * Stands for each character that a reader does not see. It is punctuation, as the marks are that it stands for, so that
 * emphasis beside it begins and ends where it would; and it is so rare that no text needs it: U+2E4F, Cornish verse
 * divider.
 */
export const HIDDEN = '\u2E4F';

/** A text without the characters that stand for hidden marks. */
export function withoutHidden(text: string): string {
  return text.includes(HIDDEN) ? text.replaceAll(HIDDEN, '') : text;
}
