import { FENCE } from './render-notebook.js';
import { renderCode, renderPlainText } from './render-plain-text.js';

/** A piece of code, and nothing else. */
const CODE = /^<pre[^>]*><code>(?:(?!<\/code>)[\s\S])*<\/code><\/pre>$/;

/**
 * What follows a text that was rendered as `html`, as it stands. With `isCode`, code goes on as code, but code of
 * markdown ends at a fence, after which there may be other text.
 */
export function renderRest(
  rest: string,
  { html, isCode }: { readonly html: string; readonly isCode: boolean },
): string {
  const render = isCode && CODE.test(html) && !FENCE.test(rest) ? renderCode : renderPlainText;
  return render(rest, { terms: [] });
}
