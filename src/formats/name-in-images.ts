/** Words for the kind of an image, such as an icon, not for its meaning. */
const KIND = /\b(?:logo(?:type)?|wordmark|banner|badge|icon)\b/gi;

/** What such a word leaves around a name: `The … of`, a dash. */
const BEFORE = /^(?:[\s:,–—-]+|(?:the|an?|of|for)\s+)+/i;
const AFTER = /(?<![\s:,–—-])[\s:,–—-]+$/;

/**
 * What a heading of nothing but images is named by their texts: "fast-check logo" is "fast-check". Empty if they name
 * nothing, as "Logo".
 */
export function nameInImages(texts: string): string {
  const rest = texts.replace(KIND, ' ');
  if (rest === texts) return texts;
  const name = `${rest} `.replace(BEFORE, '').replace(AFTER, '');
  return /[\p{L}\p{N}]/u.test(name) ? name : '';
}
