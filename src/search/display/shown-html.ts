import { type ShownHtmlOptions, validateShownHtml } from '../../contract/engine/display.js';
import { formats } from '../../formats/formats.js';
import { queryTerms } from '../../text/query-terms.js';
import { beginningOf } from './beginning.js';

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
  const isCode = subtype === 'code';
  const html = render(beginning, { sentence: highlight, terms, isCode });
  const rest = text.slice(beginning.length);
  if (rest === '') return html;
  const { renderRest } = await import('../../formats/rendering/render-rest.js');
  return `${html}\n${renderRest(rest, { html, isCode })}`;
}
