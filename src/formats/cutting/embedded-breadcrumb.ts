import type { Breadcrumb } from '../../domain/passage.js';
import { CHARACTERS_PER_TOKEN } from './characters-per-token.js';

/**
 * A breadcrumb as it is embedded, in at most `maxTokens` tokens, special tokens included. If it is longer, the
 * outermost headings are dropped; a single heading that is too long keeps as many words as fit.
 */
export function embeddedBreadcrumb(
  breadcrumb: Breadcrumb,
  { maxTokens, countTokens }: { maxTokens: number; countTokens: (text: string) => number },
): string {
  const fits = (text: string) => text.length <= maxTokens * CHARACTERS_PER_TOKEN && countTokens(text) <= maxTokens;
  const from = first(breadcrumb.length, (index) => fits(breadcrumb.slice(index).join(' > ')));
  if (from < breadcrumb.length) return breadcrumb.slice(from).join(' > ');
  const words = (breadcrumb.at(-1) ?? '').split(' ');
  const dropped = first(words.length, (index) => fits(words.slice(0, words.length - index).join(' ')));
  return words.slice(0, words.length - dropped).join(' ');
}

/** The first index below `end` for which something is true that then stays true; `end` if there is none. */
function first(end: number, isTrue: (index: number) => boolean): number {
  let [low, high] = [0, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
