import type { Breadcrumb } from '../../domain/passage.js';

/**
 * A breadcrumb as it is embedded, in at most `maxTokens` tokens, special tokens included. If it is longer, the
 * outermost headings are dropped; a single heading that is too long keeps as many words as fit.
 */
export function embeddedBreadcrumb(
  breadcrumb: Breadcrumb,
  { maxTokens, countTokens }: { maxTokens: number; countTokens: (text: string) => number },
): string {
  for (let from = 0; from < breadcrumb.length; from++) {
    const text = breadcrumb.slice(from).join(' > ');
    if (countTokens(text) <= maxTokens) return text;
  }
  const words = (breadcrumb.at(-1) ?? '').split(' ');
  let kept = '';
  for (const word of words) {
    const longer = kept === '' ? word : `${kept} ${word}`;
    if (countTokens(longer) > maxTokens) break;
    kept = longer;
  }
  return kept;
}
