import type { Breadcrumb } from '../../domain/passage.js';
import type { ParseOptions } from '../parser.js';
import { CHARACTERS_PER_TOKEN } from './characters-per-token.js';

/** A breadcrumb as it is embedded, with its tokens. */
export type CrumbsOf = (breadcrumb: Breadcrumb) => { readonly text: string; readonly tokens: number };

/** Embeds breadcrumbs in a third of `maxTokens`. One that comes again is not counted again. */
export function crumbsOf({ embedBreadcrumb, maxTokens, countTokens }: ParseOptions): CrumbsOf {
  let last: { readonly breadcrumb: Breadcrumb; readonly text: string; readonly tokens: number } | undefined;
  return (breadcrumb) => {
    const isSame =
      last?.breadcrumb.length === breadcrumb.length && breadcrumb.every((each, i) => each === last?.breadcrumb[i]);
    if (last && isSame) return last;
    const most = Math.floor(maxTokens / 3);
    const text = embedBreadcrumb ? embeddedBreadcrumb(breadcrumb, { countTokens, maxTokens: most }) : '';
    last = { breadcrumb, text, tokens: countTokens(text) };
    return last;
  };
}

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
