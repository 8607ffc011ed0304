import { formats } from '../formats/formats.js';
import { beginningOf } from './beginning.js';
import type { HighlightOptions } from './highlight.js';

/**
 * A text of a file, such as the `display` of a passage, as its reader sees it: CommonMark without comments, tags,
 * anchors, definitions, shortcodes and the like. An image is its alternative text, a link whose target stands elsewhere
 * is its text. Only the first 4,000 characters are read; the rest stays, and so does what is neither markdown nor MDX.
 */
export async function shownText(text: string, { contentType }: HighlightOptions = {}): Promise<string> {
  const beginning = beginningOf(text);
  const show = await formats.showing(contentType);
  const shown = show?.(beginning);
  // A text of nothing that is seen is better than none.
  return shown ? shown + text.slice(beginning.length) : text;
}
