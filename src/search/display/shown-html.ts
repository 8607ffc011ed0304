import { type ShownHtmlOptions, validateShownHtml } from '../../contract/engine/display.js';
import { formats } from '../../formats/formats.js';
import { renderCode, renderPlainText } from '../../formats/rendering/render-plain-text.js';
import { queryTerms } from '../../text/query-terms.js';
import { beginningOf } from './beginning.js';

const FENCE = /^[ \t>]*(?:```|~~~)/m;

/** A piece of code, and nothing else. */
const CODE = /^<pre[^>]*><code>(?:(?!<\/code>)[\s\S])*<\/code><\/pre>$/;

/**
 * A text that `shownText` returned, as HTML for a page: headings from `h3` on, the `highlight` in `mark`, words of the
 * `query` in `b`. Code is in `pre` and `code`; a `pre` without `code` has lines of text, for a page to wrap. It loads
 * nothing, runs nothing, and has neither ids nor classes; links lead to http, https and mailto only. Of a text of more
 * than 4,000 characters, the rest is shown as it stands; code goes on as code. Throws `INVALID_ARGUMENT`.
 */
export async function shownHtml(text: string, options: ShownHtmlOptions = {}): Promise<string> {
  const { contentType, highlight, query, subtype } = validateShownHtml(text, options);
  const { terms } = queryTerms(query ?? '');
  const render = await formats.rendering(contentType);
  const beginning = beginningOf(text);
  const html = render(beginning, { sentence: highlight, terms, isCode: subtype === 'code' });
  const rest = text.slice(beginning.length);
  if (rest === '') return html;
  // Code of markdown ends at a fence, after which there may be other text.
  const isCode = subtype === 'code' && CODE.test(html) && !FENCE.test(rest);
  const renderRest = isCode ? renderCode : renderPlainText;
  return `${html}\n${renderRest(rest, { terms: [] })}`;
}
